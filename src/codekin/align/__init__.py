"""Alignment algorithms on plain sequences, trees and graphs, independent of source code."""
