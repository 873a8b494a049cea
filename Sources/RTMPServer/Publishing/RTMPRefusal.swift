/// A reason for which a push or a player is refused, in words for who configures the encoder.
struct RTMPRefusal: Error, Hashable {
    var reason: String

    init(_ reason: String) { self.reason = reason }
}
