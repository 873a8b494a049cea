import Foundation
import Hummingbird

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
}
