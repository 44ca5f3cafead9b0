from codekin.adapters.lm_eval import edit_results

process_results = edit_results("es", reference="after", origin="before", language="python")
