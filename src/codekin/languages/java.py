"""Java, on tree-sitter-java."""

from __future__ import annotations

from typing import ClassVar

from codekin.languages.language import Fragments, Grammar, Language
from codekin.languages.lexical import Lexical, StringForm
from codekin.languages.lowering_rules import Effect, LoweringTable, Rule, rule
from codekin.languages.name_roles import Mention, NameReader, NameRole, NameScope
from codekin.languages.rewriting import BRACED_SWAPS, Rewriting, Writing, braced_functions
from codekin.languages.scopes import Scope, ScopeReader
from codekin.languages.syntax import Syntax
from codekin.languages.token_classes import TokenClass

__all__ = ["JAVA"]

_PRELUDE = """
    int long double float char boolean byte short void String Integer Long Double Boolean
    Character Object System Math List ArrayList Map HashMap Set HashSet Arrays Collections
    Scanner BufferedReader StringBuilder Override Exception IOException java util length
    equals println
"""

_RESERVED_WORDS = """
    abstract assert break case catch class continue default do else enum extends false
    final finally for if implements import instanceof interface native new null package
    private protected public return static super switch synchronized this throw throws
    transient true try void volatile while
"""

_LEXICAL = Lexical(
    reserved=frozenset(_RESERVED_WORDS.split()),
    imports=frozenset({"import", "package"}),
    strings=(StringForm('"""', multiline=True), StringForm('"'), StringForm("'")),
    operators=">>>= <<= >>= >>> ... -> :: ++ -- << >> <= >= == != && || += -= *= /= %= &= |= ^=",
)


# What the syntax does, for semantic graphs.

_SKIP = rule("skip")

_EXPRESSIONS: dict[str, Rule] = {
    "identifier": rule("name"),
    "this": rule("name"),
    "super": rule("name"),
    "underscore_pattern": _SKIP,
    "decimal_integer_literal": rule("literal", "number"),
    "hex_integer_literal": rule("literal", "number"),
    "octal_integer_literal": rule("literal", "number"),
    "binary_integer_literal": rule("literal", "number"),
    "decimal_floating_point_literal": rule("literal", "number"),
    "hex_floating_point_literal": rule("literal", "number"),
    "string_literal": rule("literal", "string", items="<string_interpolation>"),
    "string_fragment": _SKIP,
    "multiline_string_fragment": _SKIP,
    "string_interpolation": rule("expression"),
    "escape_sequence": _SKIP,
    "template_expression": rule("operation", label="format"),
    "character_literal": rule("literal", "string"),
    "true": rule("literal", "true"),
    "false": rule("literal", "false"),
    "null_literal": rule("literal", "null"),
    "class_literal": rule("literal", "null"),
    "parenthesized_expression": rule("expression"),
    "cast_expression": rule("expression", value="value"),
    "binary_expression": rule("binary", left="left", operator="operator", right="right"),
    "unary_expression": rule("unary", operator="operator", value="operand"),
    "update_expression": rule("update", operator="<++> <-->", value="0"),
    "assignment_expression": rule("assign", left="left", operator="operator", right="right"),
    "instanceof_expression": rule(
        "let", "hoisted", label="instanceof", left="name pattern", value="left"
    ),
    "ternary_expression": rule(
        "conditional", condition="condition", body="consequence", otherwise="alternative"
    ),
    "lambda_expression": rule("function", "lambda", parameters="parameters", body="body"),
    "inferred_parameters": rule("sequence"),
    "array_creation_expression": rule("operation", label="array", value="value", items="*"),
    "dimensions_expr": rule("expression"),
    "array_initializer": rule("operation", "each", label="list"),
    "object_creation_expression": rule(
        "new", type="type", arguments="arguments", body="<class_body>"
    ),
    "field_access": rule("member", object="object", name="field"),
    "array_access": rule("index", object="array", right="index"),
    "method_invocation": rule("method_call", object="object", name="name", arguments="arguments"),
    "explicit_constructor_invocation": rule("call", function="constructor", arguments="arguments"),
    "argument_list": rule("sequence"),
    "method_reference": rule("member", object="0", name="1"),
    "scoped_identifier": rule("member", object="scope", name="name"),
}

_STATEMENTS: dict[str, Rule] = {
    "program": rule("sequence"),
    "block": rule("sequence", "scope"),
    "constructor_body": rule("sequence", "scope"),
    "expression_statement": rule("expression"),
    "local_variable_declaration": rule("declaration", items="declarator", type="type"),
    "variable_declarator": rule("declare", left="name", value="value", items="dimensions"),
    "if_statement": rule("if", condition="condition", body="consequence", otherwise="alternative"),
    "while_statement": rule("while", condition="condition", body="body"),
    "do_statement": rule("do", condition="condition", body="body"),
    "for_statement": rule("for", init="init", condition="condition", update="update", body="body"),
    "enhanced_for_statement": rule(
        "for_each", "declares", left="name", type="type", right="value", body="body"
    ),
    "switch_expression": rule("switch", "falls value", value="condition", body="body"),
    "switch_block": rule("sequence"),
    "switch_block_statement_group": rule("case", left="<switch_label>", body="*"),
    "switch_rule": rule("case", "value", left="<switch_label>", body="*"),
    "switch_label": rule("case", left="*", guard="<guard>"),
    "guard": rule("expression"),
    "pattern": rule("pattern", "expression"),
    "type_pattern": rule("pattern", "binds", items="-1"),
    "record_pattern": rule("pattern", "binds", items="<record_pattern_body>"),
    "record_pattern_body": rule("pattern"),
    "record_pattern_component": rule("pattern", "binds", items="-1"),
    "labeled_statement": rule("labeled", label="0", body="1"),
    "break_statement": rule("break", label="0"),
    "continue_statement": rule("continue", label="0"),
    "return_statement": rule("return"),
    "yield_statement": rule("yield"),
    "throw_statement": rule("throw"),
    "assert_statement": rule("assert", condition="0", value="1"),
    "synchronized_statement": rule("sequence"),
    "try_statement": rule(
        "try",
        body="body",
        handlers="<catch_clause>",
        **{"finally": "<finally_clause>"},
    ),
    "try_with_resources_statement": rule(
        "try",
        init="resources",
        body="body",
        handlers="<catch_clause>",
        **{"finally": "<finally_clause>"},
    ),
    "resource_specification": rule("sequence"),
    "resource": rule(
        "declare", left="name", value="value <identifier> <field_access>", type="type"
    ),
    "catch_clause": rule("catch", left="<catch_formal_parameter>", body="body"),
    "catch_formal_parameter": rule("declare", left="name", type="<catch_type>"),
    "finally_clause": rule("sequence"),
    "line_comment": rule("comment"),
    "block_comment": rule("comment"),
}

_METHOD = {"name": "name", "parameters": "parameters", "body": "body"}

_DECLARATIONS: dict[str, Rule] = {
    "class_declaration": rule("class", name="name", bases="superclass interfaces", body="body"),
    "interface_declaration": rule("class", name="name", bases="<extends_interfaces>", body="body"),
    "enum_declaration": rule("class", name="name", bases="interfaces", body="body"),
    "record_declaration": rule(
        "class", name="name", parameters="parameters", bases="interfaces", body="body"
    ),
    "class_body": rule("sequence"),
    "interface_body": rule("sequence"),
    "enum_body": rule("sequence"),
    "enum_body_declarations": rule("sequence"),
    "enum_constant": rule("new", name="name", arguments="arguments", body="<class_body>"),
    "static_initializer": rule("sequence"),
    "field_declaration": rule("declaration", items="declarator", type="type"),
    "constant_declaration": rule("declaration", items="declarator", type="type"),
    "method_declaration": rule("function", guard="<modifiers>", **_METHOD),
    "constructor_declaration": rule("function", "constructor", **_METHOD),
    "compact_constructor_declaration": rule("function", "constructor", name="name", body="body"),
    "formal_parameters": rule("sequence"),
    "formal_parameter": rule("parameter", name="name", type="type", items="dimensions"),
    "spread_parameter": rule("parameter", "varargs", name="<variable_declarator>"),
    "receiver_parameter": _SKIP,
}

# Types, modifiers, names of packages: nothing is executed.
_SILENT = """
    modifiers marker_annotation annotation annotation_argument_list element_value_pair
    element_value_array_initializer package_declaration module_declaration module_body
    requires_module_directive requires_modifier exports_module_directive opens_module_directive
    uses_module_directive provides_module_directive asterisk type_parameters type_parameter
    type_bound type_arguments wildcard dimensions permits throws
    annotation_type_declaration annotation_type_body annotation_type_element_declaration
    boolean_type void_type integral_type floating_point_type type_identifier catch_type
"""
_TYPES: dict[str, Rule] = {
    **dict.fromkeys(_SILENT.split(), _SKIP),
    "import_declaration": rule("import"),
    **dict.fromkeys(["superclass", "super_interfaces", "extends_interfaces"], rule("sequence")),
    "type_list": rule("sequence"),
    "generic_type": rule("skip", name="0"),
    "scoped_type_identifier": rule("skip", name="-1"),
    "annotated_type": rule("skip", name="-1"),
    "array_type": rule("skip", "pointer"),
}

_OPERATORS = {"unary -": "neg", "unary +": "pos"}

_PRIMITIVES = """
    int long short byte char float double boolean String Integer Long Short Byte Character Float
    Double Boolean BigInteger BigDecimal void
"""

# By method name: what all classes with such a method have in common.
_PURE = """
    length size isEmpty contains containsKey containsValue equals equalsIgnoreCase hashCode
    compareTo compare toString charAt codePointAt substring indexOf lastIndexOf startsWith endsWith
    trim strip toLowerCase toUpperCase replace replaceAll replaceFirst split join concat matches
    toCharArray chars repeat isBlank format formatted valueOf parseInt parseLong parseDouble
    parseBoolean intValue longValue doubleValue booleanValue charValue
    hasNext hasNextInt hasNextLine hasMoreTokens hasNextLong hasNextDouble ready
    getClass name ordinal copyOf copyOfRange asList toArray clone of emptyList
    abs max min pow sqrt floor ceil round signum floorMod hypot log log10 exp sin cos tan random
    currentTimeMillis nanoTime identity
    isDigit isLetter isLetterOrDigit isAlphabetic isWhitespace isUpperCase isLowerCase
    getNumericValue toBinaryString toHexString bitCount
    getMessage getCause getName printStackTrace
    boxed mapToInt mapToObj map filter collect sum count
    reduce sorted distinct limit skip anyMatch allMatch noneMatch orElse isPresent range rangeClosed
    subtract multiply divide mod negate modPow modInverse gcd testBit shiftLeft shiftRight
    comparing comparingInt reverseOrder
"""
_ELEMENT = """
    get getOrDefault peek element getFirst getLast peekFirst peekLast first last floor ceiling
    higher lower elementAt floorKey ceilingKey higherKey lowerKey floorEntry ceilingEntry
    higherEntry lowerEntry firstKey lastKey firstEntry lastEntry getKey getValue iterator
    listIterator
"""
_VIEWS = """
    keySet values entrySet subList stream headSet tailSet headMap tailMap descendingIterator
    descendingMap descendingSet
"""
_TAKES = """
    remove poll pop removeFirst removeLast pollFirst pollLast take pollFirstEntry pollLastEntry next
"""
_HOLDS = """
    add addAll addFirst addLast push offer offerFirst offerLast put putAll putIfAbsent set enqueue
    addElement setElementAt insertElementAt
"""
_CHANGES = """
    clear removeAll retainAll removeIf replaceAll sort setLength setCharAt deleteCharAt
    nextInt nextLong nextDouble nextFloat nextBoolean nextByte nextShort nextLine nextToken
    nextBigInteger nextBigDecimal nextGaussian read readLine skip mark reset
    print println printf write flush close newLine
    incrementAndGet getAndIncrement decrementAndGet getAndDecrement addAndGet getAndAdd
    compareAndSet getAndSet setValue computeIfPresent merge compute lock unlock
"""
_BUILDS = "append insert delete reverse"

_EFFECTS: dict[str, Effect] = {
    **{name: Effect() for name in _PURE.split()},
    **{name: Effect(result="element") for name in _ELEMENT.split()},
    **{name: Effect(result="same") for name in _VIEWS.split()},
    **{name: Effect(receiver=True, result="element") for name in _TAKES.split()},
    **{name: Effect(receiver=True, kept=(-1,), result="element") for name in _HOLDS.split()},
    **{name: Effect(receiver=True) for name in _CHANGES.split()},
    **{name: Effect(receiver=True, result="same") for name in _BUILDS.split()},
    "computeIfAbsent": Effect(receiver=True, result="element"),
    "exit": Effect(ends=True),
    "halt": Effect(ends=True),
    "arraycopy": Effect(changed=(2,)),
    "swap": Effect(changed=(0,)),
    "shuffle": Effect(changed=(0,)),
    "fill": Effect(changed=(0,)),
    "setAll": Effect(changed=(0,)),
    "parallelSort": Effect(changed=(0,)),
}

# Methods of classes that differ from others of the same name.
_SORTS = "sort reverse shuffle swap fill rotate addAll setAll parallelSort parallelPrefix"
_PURE_OF_CLASS = """
    BigInteger.add BigInteger.remainder BigDecimal.add BigDecimal.remainder BigInteger.and
    BigInteger.or BigInteger.xor BigInteger.not BigInteger.pow LocalDate.of Integer.reverse
    Integer.sum Integer.compare Long.compare Math.floor Math.addExact Objects.hash List.of Set.of
    Map.of String.format
"""
_EFFECTS |= {
    **{
        f"{cls}.{name}": Effect(changed=(0,))
        for cls in ("Arrays", "Collections")
        for name in _SORTS.split()
    },
    **{name: Effect() for name in _PURE_OF_CLASS.split()},
}

_LOWERING = LoweringTable(
    rules=_EXPRESSIONS | _STATEMENTS | _DECLARATIONS | _TYPES,
    operators=_OPERATORS,
    effects=_EFFECTS,
    receivers=frozenset({"this", "super"}),
    capital_types=True,
    primitives=frozenset(_PRIMITIVES.split()),
    raising=frozenset({"call", "index", "member", "/", "%"}),
    quiet=frozenset({"System.out", "System.err", "System.in"}),
)


# Which names belong to a function, for renaming.

_BINDS = {
    ("formal_parameter", "name"),
    ("enhanced_for_statement", "name"),
    ("resource", "name"),
    ("catch_formal_parameter", "name"),
    ("lambda_expression", "parameters"),
}
_NO_VARIABLES = {
    ("method_invocation", "name"),
    ("field_access", "field"),
    ("method_declaration", "name"),
    ("constructor_declaration", "name"),
    ("element_value_pair", "key"),
    ("annotation", "name"),
    ("marker_annotation", "name"),
}
_LABELS = {"labeled_statement", "break_statement", "continue_statement"}
# Their scope follows the flow, or they are the names of members.
_FIXED_PARENTS = {
    "instanceof_expression",
    "type_pattern",
    "record_pattern_component",
    "record_pattern",
    "switch_label",
    "enum_constant",
    "class_declaration",
    "interface_declaration",
    "enum_declaration",
    "record_declaration",
    "scoped_identifier",
}


class JavaScopes(ScopeReader):
    """Reads a method, a constructor, an initializer or a lambda."""

    opens: ClassVar = {
        "method_declaration": "function",
        "constructor_declaration": "function",
        "compact_constructor_declaration": "class",
        "lambda_expression": "function",
        "static_initializer": "function",
        "block": "block",
        "constructor_body": "block",
        "for_statement": "block",
        "enhanced_for_statement": "block",
        "try_with_resources_statement": "block",
        "catch_clause": "block",
        "switch_block": "block",
        "class_body": "class",
        "interface_body": "class",
        "enum_body": "class",
        "record_declaration": "class",
    }

    def moved(self, node: int, scope: Scope) -> Scope:
        """The resources of a ``try`` are out of scope in its ``catch`` and ``finally``."""
        syntax = self.syntax
        outside = (
            syntax.kinds[node] in {"catch_clause", "finally_clause"}
            and syntax.kinds[syntax.parents[node]] == "try_with_resources_statement"
        )
        return scope.parent if outside and scope.parent is not None else scope

    def look(self, node: int, scope: Scope) -> None:
        """Do nothing: in Java, only names matter."""

    def meet(self, node: int, scope: Scope) -> None:
        """Classify a name by its position."""
        syntax = self.syntax
        parent = syntax.parents[node]
        kind, field = syntax.kinds[parent], syntax.fields[node]
        if syntax.text(node) == "_":
            self.fix(node)
        if (kind, field) in _NO_VARIABLES or kind in _LABELS:
            return
        if kind == "method_reference" and node != parent + 1:
            return
        if kind in _FIXED_PARENTS and (kind != "instanceof_expression" or field == "name"):
            self.fix(node)
        elif (kind, field) in _BINDS or kind == "inferred_parameters":
            if self._is_annotated(parent) or self._is_of_a_record(parent):
                self.fix(node)
            self._bind(node, scope)
        elif kind == "variable_declarator" and field == "name":
            above = syntax.parents[parent]
            is_field = syntax.kinds[above] in {"field_declaration", "constant_declaration"}
            if is_field or self._is_of_a_record(above):
                self.fix(node)
            self._bind(node, scope)
        else:
            self.use(node, scope)

    def _is_annotated(self, parameter: int) -> bool:
        """Whether a parameter has an annotation, which may depend on its name."""
        first = parameter + 1
        return self.syntax.kinds[first] == "modifiers" and "@" in self.syntax.text(first)

    def _is_of_a_record(self, parameter: int) -> bool:
        """Whether a parameter belongs to a record's constructor, where it may name a component."""
        syntax = self.syntax
        if syntax.kinds[parameter] not in {"formal_parameter", "spread_parameter"}:
            return False
        above = [syntax.kinds[i] for i in syntax.ancestors(parameter)][1:4]
        return above == ["constructor_declaration", "class_body", "record_declaration"]

    def _bind(self, node: int, scope: Scope) -> None:
        syntax = self.syntax
        parent = syntax.parents[node]
        since = None
        if syntax.kinds[parent] == "enhanced_for_statement":
            since = syntax.starts[syntax.child(parent, "body")]
        if scope.kind == "class":  # a component of a record
            self.fix(node)
        self.bind(node, scope, since)


# What names name.

_NAMED_BY_PLACE = {
    **dict.fromkeys(
        [
            ("formal_parameter", "name"),
            ("catch_formal_parameter", "name"),
            ("resource", "name"),
            ("enhanced_for_statement", "name"),
            ("lambda_expression", "parameters"),
            ("inferred_parameters", ""),
        ],
        "parameter",
    ),
    **dict.fromkeys(
        [
            ("instanceof_expression", "name"),
            ("type_pattern", ""),
            ("record_pattern_component", ""),
        ],
        "pattern",
    ),
    **dict.fromkeys(
        [
            ("class_declaration", "name"),
            ("interface_declaration", "name"),
            ("enum_declaration", "name"),
            ("record_declaration", "name"),
            ("annotation_type_declaration", "name"),
        ],
        "class",
    ),
    ("variable_declarator", "name"): "variable",
    ("enum_constant", "name"): "constant",
    ("method_declaration", "name"): "function",
    ("annotation_type_element_declaration", "name"): "function",
    ("constructor_declaration", "name"): "constructor",
    ("compact_constructor_declaration", "name"): "constructor",
    ("record_pattern", ""): "constructor",
    ("method_invocation", "name"): "call",
    ("method_invocation", "object"): "receiver",
    ("field_access", "object"): "receiver",
    ("field_access", "field"): "member",
    ("method_reference", ""): "reference",
    ("labeled_statement", ""): "label",
    ("break_statement", ""): "label",
    ("continue_statement", ""): "label",
    ("element_value_pair", "key"): "annotation",
    ("annotation", "name"): "annotation",
    ("marker_annotation", "name"): "annotation",
    ("import_declaration", ""): "package",
    ("package_declaration", ""): "package",
    ("module_declaration", "name"): "package",
    ("scoped_identifier", "scope"): "part",
    ("scoped_identifier", "name"): "part",
    ("ERROR", ""): "unclear",
}
_FIELDS = {"field_declaration", "constant_declaration"}
_SELF = {"this", "super"}


class JavaNames(NameReader):
    """Reads a compilation unit, a class, or methods without one."""

    opens: ClassVar = {**JavaScopes.opens, "compact_constructor_declaration": "function"}
    names = frozenset({"identifier", "type_identifier"})
    watched = frozenset({"import_declaration"})
    packages = frozenset({"package_declaration"})
    imports = frozenset({"import_declaration"})
    functions = frozenset({"method_declaration", "constructor_declaration"})

    def __init__(self, syntax: Syntax) -> None:
        super().__init__(syntax)
        self._imported: set[str] = set()
        self._imports_all = False
        self._unclear: list[Mention] = []
        self._annotations: list[Mention] = []
        self._components: set[str] = set()
        self._constants: set[str] = set()
        self._packages: set[str] = set()

    def look(self, node: int, scope: NameScope) -> None:
        """Note which values an import brings."""
        syntax = self.syntax
        if syntax.kinds[node] != "import_declaration":
            return
        kinds = [syntax.kinds[i] for i in syntax.children(node)]
        if "static" in kinds:
            if "asterisk" in kinds:
                self._imports_all = True
            else:
                words = syntax.text(node).rstrip("; \t\r\n").rpartition(".")
                self._imported.add(words[2].strip())

    def meet(self, node: int, scope: NameScope) -> None:
        """Record a name by its position."""
        syntax = self.syntax
        parent = syntax.parents[node]
        kind = syntax.kinds[parent]
        if syntax.kinds[node] == "type_identifier":
            self._meet_type(node, parent, scope)
            return
        field = "" if kind == "ERROR" else syntax.fields[node]
        place = _NAMED_BY_PLACE.get((kind, field))
        if place is None:
            self.value(node, scope)
        else:
            getattr(self, f"_meet_{place}")(node, parent, scope)

    def _meet_type(self, node: int, parent: int, scope: NameScope) -> None:
        syntax = self.syntax
        kind = syntax.kinds[parent]
        if kind == "type_parameter" or kind in {
            "class_declaration",
            "interface_declaration",
            "record_declaration",
        }:
            self.declare_type(node, scope)
        elif kind == "scoped_type_identifier":
            self._meet_type_part(node, scope)
        elif syntax.text(node) != "var":
            self.add(node, NameRole.TYPE, scope)

    def _meet_type_part(self, node: int, scope: NameScope) -> None:
        """``Map`` and ``Entry`` are types; in longer names all but the last are packages."""
        syntax = self.syntax
        parent = syntax.parents[node]
        is_whole = syntax.kinds[syntax.parents[parent]] != "scoped_type_identifier"
        last = is_whole and syntax.ends[node] == syntax.ends[parent]
        is_type = last or (is_whole and syntax.kinds[parent + 1] == "type_identifier")
        self.add(node, NameRole.TYPE if is_type else NameRole.PACKAGE, scope)

    def _meet_parameter(self, node: int, parent: int, scope: NameScope) -> None:
        syntax = self.syntax
        above = syntax.parents[syntax.parents[parent]]
        listed = syntax.kinds[parent] == "formal_parameter" and above >= 0
        if listed and syntax.kinds[above] == "record_declaration":
            self.declare_field(node, scope)
            self._components.add(self.mentions[-1].text)
        else:
            self.declare(node, scope, node)

    def _meet_pattern(self, node: int, parent: int, scope: NameScope) -> None:
        # It holds where the pattern matched, which may be after the statement.
        self.declare(node, scope, node)
        scope.enclosing("function").bind(self.mentions[-1].text, NameRole.VARIABLE, node)

    def _meet_variable(self, node: int, parent: int, scope: NameScope) -> None:
        if self.syntax.kinds[self.syntax.parents[parent]] in _FIELDS:
            self.declare_field(node, scope)
        else:
            self.declare(node, scope, node if scope.parent is not None else 0)

    def _meet_constant(self, node: int, parent: int, scope: NameScope) -> None:
        self.declare_field(node, scope)
        self._constants.add(self.mentions[-1].text)

    def _meet_class(self, node: int, parent: int, scope: NameScope) -> None:
        self.declare_type(node, scope)

    def _meet_function(self, node: int, parent: int, scope: NameScope) -> None:
        self.add(node, NameRole.FUNCTION, scope, declares=True)

    def _meet_constructor(self, node: int, parent: int, scope: NameScope) -> None:
        self.add(node, NameRole.TYPE, scope)

    def _meet_call(self, node: int, parent: int, scope: NameScope) -> None:
        self.add(node, NameRole.CALL, scope)

    def _meet_receiver(self, node: int, parent: int, scope: NameScope) -> None:
        if any(self.syntax.kinds[i] in _SELF for i in self.syntax.children(parent)):
            self.add(node, NameRole.TYPE, scope)  # Outer.this
        else:
            self.receiver(node, scope)

    def _meet_reference(self, node: int, parent: int, scope: NameScope) -> None:
        if node == parent + 1:
            self.receiver(node, scope)
        else:
            self.add(node, NameRole.CALL, scope)

    def _meet_member(self, node: int, parent: int, scope: NameScope) -> None:
        self.member(node, scope)

    def _meet_label(self, node: int, parent: int, scope: NameScope) -> None:
        self.add(node, NameRole.LABEL, scope)

    def _meet_annotation(self, node: int, parent: int, scope: NameScope) -> None:
        mention = self.add(node, NameRole.ANNOTATION, scope)
        if self.syntax.fields[node] == "name":
            self._annotations.append(mention)

    def _meet_package(self, node: int, parent: int, scope: NameScope) -> None:
        self.add(node, NameRole.PACKAGE, scope)

    def _meet_part(self, node: int, parent: int, scope: NameScope) -> None:
        syntax = self.syntax
        while syntax.kinds[parent] == "scoped_identifier":
            parent = syntax.parents[parent]
        annotates = "annotation" in syntax.kinds[parent]
        self.add(node, NameRole.ANNOTATION if annotates else NameRole.PACKAGE, scope)

    def _meet_unclear(self, node: int, parent: int, scope: NameScope) -> None:
        after = self.syntax.kinds[node + 1] if node + 1 < len(self.syntax) else ""
        if after == "formal_parameters":
            self._meet_function(node, parent, scope)
            return
        if after in {"(", "argument_list"}:
            self._meet_call(node, parent, scope)
            return
        self._unclear.append(self.add(node, NameRole.EXTERNAL, scope))

    def settle(self) -> None:
        """Decide by scope which names are variables, fields and types."""
        self._settle_types()
        for mention in self._values:
            if self._is_bound(mention):
                mention.declared = True
            elif mention.text in self._imported or self._imports_all:
                mention.role = NameRole.EXTERNAL
            else:
                self.free.add(mention.text)
        of_self = [one for one in self._members if self._is_of_self(one.node)]
        self.free |= {one.text for one in of_self} - self.fields
        for mention in [*self._receivers, *self._unclear]:
            if self._is_bound(mention):
                mention.role, mention.declared = NameRole.VARIABLE, True
            elif mention.text in self.types:
                mention.role, mention.declared = NameRole.TYPE, True
            elif mention.text in self.free:
                mention.role = NameRole.VARIABLE
            elif mention.text in self._packages:
                mention.role = NameRole.PACKAGE  # java.lang.Math.max(1, 2)
        self._settle_members({one.node for one in of_self})

    def _settle_types(self) -> None:
        """A type, an annotation or a part of a type's name may be a type of the text."""
        for mention in self.mentions:
            if mention.role in {NameRole.TYPE, NameRole.PACKAGE} and mention.text in self.types:
                if self.syntax.kinds[mention.node] == "type_identifier":
                    mention.role = NameRole.TYPE
                mention.declared = mention.declared or mention.role is NameRole.TYPE
            if mention.role is NameRole.PACKAGE and not self._is_after_dot(mention.node):
                self._packages.add(mention.text)
        for mention in self._annotations:
            if mention.text in self.types:
                mention.role, mention.declared = NameRole.TYPE, True

    def _is_after_dot(self, node: int) -> bool:
        return node > 0 and self.syntax.kinds[node - 1] == "."

    def _is_bound(self, mention: Mention) -> bool:
        return mention.scope.find(mention.text, mention.node) is not None

    def _is_of_self(self, node: int) -> bool:
        """Whether a member is one of ``this``, ``super`` or ``Outer.this``."""
        syntax = self.syntax
        first = syntax.parents[node] + 1
        if syntax.kinds[first] == "field_access":
            return any(syntax.kinds[i] in _SELF for i in syntax.children(first))
        return syntax.kinds[first] in _SELF

    def _settle_members(self, of_self: set[int]) -> None:
        """A member is a field if the text declares one of that name.

        ``System.out`` is not; but where classes of the text extend others, what looks like a class
        may be a field that they inherit.
        """
        elsewhere = {
            one.node for one in self._receivers if one.role in {NameRole.RECEIVER, NameRole.PACKAGE}
        }
        for mention in self._members:
            if self._root(mention.node) in elsewhere:
                if mention.text in self.fields and self._inherits():
                    self.fixed.add(mention.text)
            elif mention.node in of_self or mention.text in self.fields:
                mention.role = NameRole.VARIABLE
                mention.declared = mention.text in self.fields
                if mention.node not in of_self and self._is_foreign(mention):
                    self.fixed.add(mention.text)
        if self._components:
            called = {one.text for one in self.mentions if one.role is NameRole.CALL}
            self.fixed |= self._components & called
        if self._constants:
            strings = {
                self.syntax.text(i)
                for i, kind in enumerate(self.syntax.kinds)
                if kind == "string_fragment"
            }
            self.fixed |= self._constants & strings  # Color.valueOf("RED")

    def _root(self, node: int) -> int:
        """What the chain of members that ends with a node begins with."""
        kinds, first = self.syntax.kinds, self.syntax.parents[node] + 1
        while kinds[first] == "field_access":
            first += 1
        return first

    def _inherits(self) -> bool:
        """Whether a class of the text extends one that is not in it."""
        syntax = self.syntax
        return any(
            kind == "superclass" and not self._mentions_own_type(node)
            for node, kind in enumerate(syntax.kinds)
        )

    def _is_foreign(self, mention: Mention) -> bool:
        """Whether a member may be one of an array, or of a class that is not in the text."""
        syntax = self.syntax
        if mention.text == "length":
            return True
        first = syntax.parents[mention.node] + 1
        if syntax.kinds[first] != "identifier":
            return False
        return self.holds_foreign(first, mention.scope)

    def has_foreign_type(self, declaration: Mention) -> bool:
        """Whether a variable is declared with a type that is not in the text."""
        syntax = self.syntax
        holder = syntax.parents[declaration.node]
        if syntax.child(holder, "type") < 0:
            holder = syntax.parents[holder]
        kind = syntax.child(holder, "type")
        return kind >= 0 and not self._mentions_own_type(kind)

    def _mentions_own_type(self, node: int) -> bool:
        syntax = self.syntax
        words = {
            syntax.text(i) for i in syntax.inside(node) if syntax.kinds[i] == "type_identifier"
        }
        return bool(words & (self.types | {"var"}))

    def calls_own(self, node: int) -> bool:
        """Whether a method is called without an object, or on ``this``."""
        syntax = self.syntax
        parent = syntax.parents[node]
        target = syntax.child(parent, "object")
        if syntax.kinds[parent] == "method_reference":
            target = parent + 1
        return target < 0 or syntax.kinds[target] == "this"


_REWRITING = Rewriting(
    blocks=frozenset({"program", "block", "constructor_body", "class_body"}),
    functions=frozenset({"method_declaration", "constructor_declaration"}),
    bodies=frozenset({"block", "constructor_body"}),
    scopes=JavaScopes,
    braces=frozenset({"block", "constructor_body", "class_body", "enum_body", "interface_body"}),
    spaced=frozenset({"variable_declarator"}),
    dead=(
        "int {name} = {number};",
        'final String {name} = "{number}";',
        "if (false) {{ int {name} = {number}; }}",
        "{{ long {name} = {number}; }}",
        "for (int {name} = {number}; {name} < {number}; {name}++) {{ }}",
    ),
    leading={"explicit_constructor_invocation": ""},
    movable=frozenset({"method_declaration"}),
    order_seen=frozenset({"getDeclaredMethods", "getMethods"}),
    binary=frozenset({"binary_expression"}),
    assignments=frozenset({"assignment_expression"}),
    updates=frozenset({"update_expression"}),
    swaps=BRACED_SWAPS,
    conditions={
        "if_statement": "condition",
        "while_statement": "condition",
        "do_statement": "condition",
        "ternary_expression": "condition",
    },
    binding={"instanceof_expression": "name", "type_pattern": ""},
    numbers=frozenset({"decimal_integer_literal", "decimal_floating_point_literal"}),
    strings=frozenset({"string_literal"}),
    characters=frozenset({"character_literal"}),
    contents=frozenset({"string_fragment", "multiline_string_fragment"}),
    labels=frozenset({"labeled_statement", "switch_block_statement_group", "switch_label"}),
    arguments=frozenset({"argument_list"}),
    droppable=frozenset({"expression_statement", "continue_statement"}),
    needed=frozenset({"break_statement", "throw_statement", "return_statement"}),
    idle=frozenset({"identifier"}),
    single=frozenset({"switch_rule"}),
)
_WRITING = Writing(braced_functions("static int {0}(int {1})", "int "))


JAVA = Language(
    name="java",
    title="Java",
    suffixes=(".java",),
    prelude=frozenset(_PRELUDE.split()),
    lowering=_LOWERING,
    rewriting=_REWRITING,
    writing=_WRITING,
    names=JavaNames,
    lexical=_LEXICAL,
    fragments=Fragments(
        functions=frozenset(
            {"method_declaration", "constructor_declaration", "compact_constructor_declaration"}
        ),
        blocks=frozenset({"block", "constructor_body"}),
        declarations=frozenset(
            {
                "class_declaration",
                "interface_declaration",
                "enum_declaration",
                "record_declaration",
                "annotation_type_declaration",
            }
        ),
    ),
    grammars=(
        Grammar(
            distribution="tree-sitter-java",
            entry="language",
            classes={
                "this": TokenClass.KEYWORD,
                "super": TokenClass.KEYWORD,
                "requires_modifier": TokenClass.KEYWORD,
                "integral_type": TokenClass.TYPE,
                "floating_point_type": TokenClass.TYPE,
                "boolean_type": TokenClass.TYPE,
                "void_type": TokenClass.TYPE,
                "underscore_pattern": TokenClass.IDENTIFIER,
                "decimal_integer_literal": TokenClass.INTEGER,
                "hex_integer_literal": TokenClass.INTEGER,
                "octal_integer_literal": TokenClass.INTEGER,
                "binary_integer_literal": TokenClass.INTEGER,
                "decimal_floating_point_literal": TokenClass.FLOAT,
                "hex_floating_point_literal": TokenClass.FLOAT,
                "string_literal": TokenClass.STRING,
                "character_literal": TokenClass.CHARACTER,
                "true": TokenClass.BOOLEAN,
                "false": TokenClass.BOOLEAN,
                "null_literal": TokenClass.NULL,
                "asterisk": TokenClass.OPERATOR,
            },
            atoms=frozenset(
                {"string_literal", "character_literal", "integral_type", "floating_point_type"}
            ),
        ),
    ),
)
