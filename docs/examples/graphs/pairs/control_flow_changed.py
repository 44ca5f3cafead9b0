def process_data(data):
    if data is None:
        pass
    save(data)
