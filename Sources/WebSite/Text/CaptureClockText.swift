import JSONDocument
import SiteTexts

/// The texts with which administrators measure the time from the camera to the server.
struct CaptureClockText: SiteTextSection {
    static let section = "captureClock"

    let heading, explanation, known, happens, seen, measured, setNow, apply, applied, failed, needsPlaying: String

    /// The words that the script shows, as JSON.
    var words: String {
        JSONText.object(
            [
                ("explanation", explanation), ("known", known), ("happens", happens), ("seen", seen),
                ("measured", measured), ("setNow", setNow), ("apply", apply), ("applied", applied),
                ("failed", failed), ("needsPlaying", needsPlaying),
            ].map { ($0.0, .string($0.1)) }
        ).rendered
    }
}
