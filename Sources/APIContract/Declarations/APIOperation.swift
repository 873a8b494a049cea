package import MediaCore

/// An operation of the API: its method and path, its parameters, its body, its answers and its problems, declared once.
/// An endpoint of the server binds a handler to it, the description lists it, and clients send it. `Value` is what a
/// client gets.
package struct APIOperation<Value: Sendable>: DeclaredOperation {
    package let method: APIMethod
    package let path: String
    package let id: String
    package let summary: String
    package let meaning: String?
    package let parameters: [APIParameter]
    package let body: APIBody?
    package private(set) var answers: [APIAnswer]
    package private(set) var problems: [APIProblem] = []

    /// - Parameters:
    ///   - method: the method.
    ///   - path: the path in OpenAPI's notation.
    ///   - id: the name for programs.
    ///   - summary: what it does, in a few words.
    ///   - meaning: what one has to know besides; `nil` for nothing.
    ///   - parameters: the parameters of the path, the query and the header.
    ///   - body: the body of requests; `nil` for none.
    ///   - answer: the answer of requests that succeed.
    package init(
        _ method: APIMethod, _ path: String, _ id: String, _ summary: String, _ meaning: String? = nil,
        parameters: [APIParameter] = [], body: APIBody? = nil, answer: APIResult<Value>
    ) {
        (self.method, self.path, self.id, self.summary, self.meaning) = (method, path, id, summary, meaning)
        (self.parameters, self.body, answers) = (parameters, body, [answer.answer])
    }

    /// The operation with other answers that are no problem details.
    package func or(_ others: APIAnswer...) -> APIOperation {
        var operation = self
        operation.answers += others
        return operation
    }

    /// The operation with the refusals of its domain that are particular to it.
    package func refusing(_ codes: Refusal.Code...) -> APIOperation {
        var operation = self
        operation.problems += codes.map(\.problem)
        return operation
    }

    /// The operation with the problems that are particular to it, besides those that follow from its parameters, its
    /// body, and who may send it.
    package func failing(with problems: APIProblem...) -> APIOperation {
        var operation = self
        operation.problems += problems
        return operation
    }
}
