package import Packaging

/// The result of looking up a title or track.
package enum TitleLookup: Sendable {
    /// The title can be played.
    ///
    /// - Parameter revision: changes whenever the media does; part of every segment's URL.
    case ready(PackagedTitle, revision: String, extras: TitleExtras = TitleExtras())
    /// The title is being ingested, or has failed; the reason is human-readable.
    case notReady(reason: String)
    /// There is no such title.
    case unknown
}
