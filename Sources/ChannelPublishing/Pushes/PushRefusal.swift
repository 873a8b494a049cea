/// A reason for which a push is refused or ended, in words for who configures the encoder.
package struct PushRefusal: Error, Hashable {
    package var reason: String

    package init(_ reason: String) { self.reason = reason }
}
