"""CodeBLEU as the package codebleu computes it."""
