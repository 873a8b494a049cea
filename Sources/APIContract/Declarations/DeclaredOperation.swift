/// An ``APIOperation`` whose value has any type.
package protocol DeclaredOperation: Sendable {
    var method: APIMethod { get }
    /// The path in OpenAPI's notation: `/api/v1/titles/{id}`.
    var path: String { get }
    /// The name for programs, such as `listTitles`; no two operations have the same.
    var id: String { get }
    var summary: String { get }
    var meaning: String? { get }
    var parameters: [APIParameter] { get }
    var body: APIBody? { get }
    var answers: [APIAnswer] { get }
    /// The problems that are particular to the operation.
    var problems: [APIProblem] { get }
}

extension DeclaredOperation {
    /// The subject, by which the description groups operations: the first component after the version.
    package var tag: String {
        path.split(separator: "/").dropFirst(2).first.map { String($0.prefix { $0 != "." }) } ?? ""
    }
}
