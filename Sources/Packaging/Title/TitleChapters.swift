package import ISOBMFF
import MediaCore
package import NIOCore

/// A title's chapters in the format of `com.apple.hls.chapters`.
package struct TitleChapters: Sendable, Hashable {
    private var chapters: [MovieChapter]

    /// The DATA-ID of EXT-X-SESSION-DATA.
    package static let sessionDataID = "com.apple.hls.chapters"
    /// The file name in URLs.
    package static let fileName = "chapters.json"

    /// The JSON of a title without chapters.
    package static let noneAsJSON = ByteBuffer(string: "[]\n")

    /// Reads the chapters of a file: not for event loops. `nil` if there are none, or they are invalid.
    package init?(of file: MediaFile) {
        guard let chapters = try? MovieChapters.read(from: file), !chapters.isEmpty else { return nil }
        self.chapters = chapters
    }

    /// Creates chapters from ones in the order of their starts; `nil` if there are none.
    package init?(_ chapters: [MovieChapter]) {
        guard !chapters.isEmpty else { return nil }
        self.chapters = Array(chapters.prefix(MovieChapter.maximumCount))
    }

    /// Renders the chapters as JSON.
    ///
    /// - Parameter duration: The title's duration in seconds, at which the last chapter ends.
    package func json(duration: Double) -> ByteBuffer {
        var text = "["
        for (index, chapter) in chapters.enumerated() {
            let start = chapter.start.seconds
            let end = index + 1 < chapters.count ? chapters[index + 1].start.seconds : max(start, duration)
            text += index > 0 ? ",\n" : "\n"
            text += "{\"chapter\":\(index + 1),\"start-time\":\(Self.decimal(start)),"
            text += "\"duration\":\(Self.decimal(end - start)),"
            text += "\"titles\":[{\"language\":\"und\",\"title\":\"\(Self.escaped(chapter.title))\"}]}"
        }
        return ByteBuffer(string: text + "\n]\n")
    }

    /// Formats a number with three decimals and no exponent.
    private static func decimal(_ seconds: Double) -> String {
        let milliseconds = Int64(exactly: (min(max(0, seconds), 1e9) * 1_000).rounded()) ?? 0
        let fraction = String(milliseconds % 1_000)
        return "\(milliseconds / 1_000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction)"
    }

    /// Escapes a title for JSON; control characters have been removed already.
    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    }
}
