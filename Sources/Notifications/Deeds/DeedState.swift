/// How far a deed has come. The texts are stored and never change.
enum DeedState: String, Sendable {
    /// There are members who have not been told.
    case pending
    case done
    /// It was out of sight before everybody was told. It waits again if it happens again.
    case withheld
}
