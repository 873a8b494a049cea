import MediaCore

extension RenditionID {
    /// The channel's video with the scoreboard in the picture, which the server makes like a quality of a ladder.
    static let scoreboard = RenditionID(.video, variant: "scoreboard")
}
