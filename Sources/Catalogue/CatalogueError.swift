/// A request that the catalogue cannot carry out, and the reason.
package struct CatalogueError: Error, Hashable, CustomStringConvertible {
    /// The kinds of error.
    package enum Code: Hashable, Sendable {
        /// The cursor was not issued by this list.
        case invalidCursor
        /// The record is no longer the version that the caller has read.
        case changedMeanwhile
    }

    package var code: Code
    package var reason: String

    package init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// The error of a change that is meant for another version of a record.
    package static func changedMeanwhile(_ id: String) -> CatalogueError {
        CatalogueError(.changedMeanwhile, "\(id) was changed meanwhile; read it again")
    }

    package var description: String { reason }
}
