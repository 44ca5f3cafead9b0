"""Algorithms on plain sequences, trees and graphs, which know nothing of code."""
