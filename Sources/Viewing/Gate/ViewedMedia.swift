package import MediaCore

/// The media that a viewer requests: a channel, title or track, and the purpose of the request.
package struct ViewedMedia: Sendable, Hashable {
    /// The subject; `nil` at a path at which there can be nothing.
    package var subject: MediaSubject?
    /// The folder that holds all of it, such as `/live/canalA.stream`, in one spelling; what a signature covers.
    package var folder: String
    /// Whether playback begins with the request.
    package var beginsPlayback: Bool
    /// Whether the request activates a rental, if the operator wants that of the first playback.
    package var activatesRental: Bool
    /// Whether the player is one of a rental's players from now on.
    package var isPlayed: Bool

    /// - Parameters:
    ///   - subject: what it is; `nil` at a path at which there can be nothing.
    ///   - folder: the folder that holds all of it; what a signature covers.
    ///   - beginsPlayback: whether playback begins with the request.
    ///   - activatesRental: whether the request activates a rental.
    ///   - isPlayed: whether the player is one of a rental's players from now on.
    package init(
        _ subject: MediaSubject?, folder: String, beginsPlayback: Bool, activatesRental: Bool, isPlayed: Bool
    ) {
        (self.subject, self.folder, self.beginsPlayback) = (subject, folder, beginsPlayback)
        (self.activatesRental, self.isPlayed) = (activatesRental, isPlayed)
    }
}
