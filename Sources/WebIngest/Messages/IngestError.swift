/// A message that cannot be, in words for who wrote the sending program.
package struct IngestError: Error, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
