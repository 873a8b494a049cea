struct PlayingState: Hashable, Sendable {
    var session: EstablishedSession
}
