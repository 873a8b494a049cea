import Foundation

/// The repository that the tests were built from.
package enum Repository {
    /// The path of its folder.
    package static let path =
        "/" + URL(filePath: #filePath).pathComponents.dropFirst().dropLast(3).joined(separator: "/")
}
