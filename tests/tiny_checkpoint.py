"""A RoBERTa small enough to be made on the spot, with a tokenizer of its own."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

__all__ = ["save_tiny_roberta"]

SPECIAL = ("<s>", "<pad>", "</s>", "<unk>")


def save_tiny_roberta(
    folder: Path,
    texts: Iterable[str],
    *,
    layers: int,
    vocabulary: int,
    special: Iterable[str] = (),
    alphabet: bool = False,
    most: int | None = None,
) -> None:
    """Write the checkpoint.

    Parameters
    ----------
    folder : Path
    texts : iterable of str
        What its tokenizer is trained on.
    layers, vocabulary : int
    special : iterable of str
        Tokens besides the usual ones.
    alphabet : bool
        Whether every byte has a token, and texts begin and end with one.
    most : int, optional
        The longest text that the tokenizer allows, in tokens.
    """
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast, RobertaConfig, RobertaModel

    tokenizer = Tokenizer(models.BPE(unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=[*SPECIAL, *special],
        show_progress=False,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet() if alphabet else [],
    )
    tokenizer.train_from_iterator(texts, trainer)
    if alphabet:
        tokenizer.post_processor = processors.RobertaProcessing(
            ("</s>", 2), ("<s>", 0), add_prefix_space=False
        )
    names = dict(zip(("cls_token", "pad_token", "sep_token", "unk_token"), SPECIAL, strict=True))
    length = {} if most is None else {"model_max_length": most}
    made = PreTrainedTokenizerFast(tokenizer_object=tokenizer, **length, **names)
    made.save_pretrained(folder)
    config = RobertaConfig(
        vocab_size=tokenizer.get_vocab_size(),
        hidden_size=32,
        num_hidden_layers=layers,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=128,
        type_vocab_size=1,
        pad_token_id=1,
        bos_token_id=0,
        eos_token_id=2,
    )
    with torch.random.fork_rng():
        torch.manual_seed(0)
        RobertaModel(config).save_pretrained(folder)
