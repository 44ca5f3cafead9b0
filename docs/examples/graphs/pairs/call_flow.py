def recursion(x):
    if x is not None:
        visit(x.value)
        recursion(x.next)
