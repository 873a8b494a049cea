package import MediaCore

extension SubtitleDocument {
    /// The duration of a subtitle without an end: the reading time of two lines, or less if the next one starts
    /// earlier.
    static let untimedDuration = Duration.seconds(5)

    /// Converts subtitles to cues; invalid ones are dropped.
    ///
    /// - Parameters:
    ///   - texts: The subtitles.
    ///   - format: The format of their texts.
    ///   - language: The language, which tells the encoding of texts that are not in Unicode.
    package init(_ texts: [EmbeddedText], format: EmbeddedText.Format, language: LanguageTag? = nil) {
        var cues: [SubtitleCue] = []
        for (index, embedded) in texts.prefix(Self.maximumCueCount).enumerated() {
            let next = index + 1 < texts.count ? texts[index + 1].start : Int64.max
            let start = max(0, embedded.start)
            let (untimed, overflow) = start.addingReportingOverflow(Self.untimedDuration.wholeMilliseconds)
            let end = min(
                embedded.end ?? min(overflow ? .max : untimed, next > start ? next : .max), Self.maximumTime)
            let text = embedded.cueText(format, language: language)
            let settings = embedded.settings.filter { !$0.isNewline }
            guard end > start, !text.isEmpty, text.utf8.count <= Self.maximumCueByteCount, !text.contains("-->"),
                !settings.contains("-->")
            else { continue }
            cues.append(SubtitleCue(start: start, end: end, identifier: nil, settings: settings, text: text))
        }
        self.init(cues)
    }
}
