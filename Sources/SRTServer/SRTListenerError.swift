/// The listener could not be opened.
package struct SRTListenerError: Error, CustomStringConvertible {
    /// The reason in words of libsrt or of the system.
    package let description: String

    init(_ description: String) { self.description = description }
}
