package import ISOBMFF
import MediaCore
package import NIOCore

/// A title's chapters, as `com.apple.hls.chapters` has them.
package struct TitleChapters: Sendable, Hashable {
    private var chapters: [MovieChapter]

    package static let sessionDataID = "com.apple.hls.chapters"
    package static let fileName = "chapters.json"

    /// Reads the file: not for event loops. `nil` where there are none, or where what there is makes no sense.
    package init?(of file: MediaFile) {
        guard let chapters = try? MovieChapters.read(from: file), !chapters.isEmpty else { return nil }
        self.chapters = chapters
    }

    /// Chapters that were read elsewhere, in the order of their starts; `nil` where there are none.
    package init?(_ chapters: [MovieChapter]) {
        guard !chapters.isEmpty else { return nil }
        self.chapters = Array(chapters.prefix(MovieChapter.maximumCount))
    }

    /// - Parameter duration: the title's, where the last chapter ends.
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

    /// Three decimals and no exponent.
    private static func decimal(_ seconds: Double) -> String {
        let milliseconds = Int64(exactly: (min(max(0, seconds), 1e9) * 1_000).rounded()) ?? 0
        let fraction = String(milliseconds % 1_000)
        return "\(milliseconds / 1_000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction)"
    }

    /// Control characters are gone from titles already.
    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    }
}
