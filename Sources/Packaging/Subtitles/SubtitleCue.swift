/// A subtitle with the time at which it is shown.
package struct SubtitleCue: Sendable, Hashable {
    /// The start in milliseconds on the title's timeline.
    package var start: Int64
    /// The end in milliseconds on the title's timeline.
    package var end: Int64
    /// The WebVTT identifier; `nil` if there is none.
    package var identifier: String?
    /// The WebVTT cue settings, such as `line:0 align:start`; empty if there are none.
    package var settings: String
    /// WebVTT cue text, without empty lines.
    package var text: String
}
