struct RecordingState: Hashable, Sendable {
    var session: EstablishedSession
}
