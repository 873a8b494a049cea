package import Accounts
import Foundation
import Hummingbird
package import MediaCore

/// The path components that an endpoint captures.
package struct PathParameters {
    let encoded: Parameters

    /// The decoded value of a captured component.
    ///
    /// - Throws: ``ProblemDetails`` with status 404 if the decoded value is not UTF-8.
    package func require(_ name: String) throws -> String {
        guard let value = try encoded.require(name).removingPercentEncoding else {
            throw ProblemDetails(.notFound, "the path is not UTF-8")
        }
        return value
    }

    /// The name of a channel, title or track that a captured component is.
    ///
    /// - Throws: ``ProblemDetails`` with status 404 for what cannot be one.
    package func mediaName(_ name: String) throws -> MediaName {
        guard let found = MediaName(try require(name)) else {
            throw ProblemDetails(.notFound, "there is no resource with this name")
        }
        return found
    }

    /// The ID that a captured component is.
    ///
    /// - Parameters:
    ///   - kind: what it is the ID of, such as `rental`.
    ///   - name: the name of the component.
    /// - Throws: ``ProblemDetails`` with status 404 for what cannot be one.
    package func identifier(of kind: String, _ name: String = "id") throws -> OpaqueID {
        guard let id = OpaqueID(parsing: try require(name)) else {
            throw ProblemDetails(.notFound, "there is no such \(kind)")
        }
        return id
    }
}
