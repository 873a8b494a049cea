import Catalogue
package import HTTPEndpoints

extension IfMatch {
    /// Makes a change that compares the version itself.
    ///
    /// - Throws: `ProblemDetails` with 412 for `CatalogueError` with `changedMeanwhile`; other errors of `change` as
    ///   they are.
    package static func refusingLateChanges<Result>(_ change: () async throws -> Result) async throws -> Result {
        do {
            return try await change()
        } catch let error as CatalogueError where error.code == .changedMeanwhile {
            throw changedMeanwhile
        }
    }
}
