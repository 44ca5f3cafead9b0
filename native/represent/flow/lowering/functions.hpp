// Functions, parameters, classes.
#pragma once

#include "represent/flow/lowering/part.hpp"

namespace codekin::flow {

class Functions : Part {
  public:
    using Part::Part;

    // Lowers a function, a class, or a statement that says whose variables names are.
    Value lower_as(int32_t node, const Rule &rule);
    // The names of the text's functions and classes, wherever they stand.
    void find_own_names();
    // What a decorator says of the function that comes next.
    void decorate(int32_t node);
    // What was put off runs last, whichever way the function ends.
    void run_deferred(size_t first_item);
    // A class's bases, fields and body.
    void lower_class(int32_t node, const Rule &rule, int32_t name);

  private:
    int32_t function_name(int32_t node, const Rule &rule, int32_t &owner, int32_t &parameters);
    bool is_static(int32_t modifiers) const;
    FunctionKind function_kind(const Rule &rule, int32_t name, int32_t owner) const;
    Value lower_function(int32_t node, const Rule &rule);
    void function_body(int32_t node, const Rule &rule);
    int32_t tail(int32_t body) const;
    void lower_results(int32_t node, const Rule &rule);
    bool has_receiver(int32_t parameters) const;
    void lower_parameters(int32_t node, bool is_method);
    void lower_parameter(int32_t node, bool is_receiver);
    void scope_names(int32_t node, const Rule &rule);
    void find_bases(int32_t node, bool is_list, int32_t cls);
    void keep_header(int32_t header, int32_t cls);
    Value lower_class_expression(int32_t node, const Rule &rule);

    uint32_t decorated_ = 0;  // flags that decorators give to the next function
    int32_t header_ = -1;     // parameters of the class around, until its constructor is seen
};

}  // namespace codekin::flow
