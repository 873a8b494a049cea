/// The state Ready of RFC 2326 §A.2, which may be followed by SETUP, and then by RECORD or PLAY.
struct ReadyState: Hashable, Sendable {
    var session: EstablishedSession
}
