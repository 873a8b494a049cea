/// An error of libsrt, in words.
package struct SRTFailure: Error, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
