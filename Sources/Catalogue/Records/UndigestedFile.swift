/// A title or track whose digest is not known yet.
package struct UndigestedFile: Sendable, Equatable {
    package var id: String
    package var sourcePath: String
    package var revision: String
}
