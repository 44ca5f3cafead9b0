"""Reproductions of other packages, oddities included: one file or folder per package.

Nothing in codekin imports from here. The registry of measures and the graph presets name these
modules by string and load them when a user asks for one (``compat=...``, ``preset="joern"``), so
that the folder can be deleted and everything else keeps working. A file may build on another of
this folder where one package builds on another (crystalbleu on nltk, tsed on apted).
"""
