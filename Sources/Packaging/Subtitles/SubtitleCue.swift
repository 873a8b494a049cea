/// A text and when it is shown.
package struct SubtitleCue: Sendable, Hashable {
    /// Milliseconds on the title's timeline.
    package var start: Int64
    package var end: Int64
    package var identifier: String?
    /// As WebVTT has them behind the times: `line:0 align:start`.
    package var settings: String
    /// WebVTT cue text, without empty lines.
    package var text: String
}
