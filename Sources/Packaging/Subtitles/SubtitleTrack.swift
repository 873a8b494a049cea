import Synchronization

/// A title's subtitles in one language, read when the first viewer wants them.
package final class SubtitleTrack: Sendable {
    package let file: SubtitleFile
    private let document = Mutex<SubtitleDocument?>(nil)

    package init(_ file: SubtitleFile) { self.file = file }

    /// `nil` as long as ``load()`` has not been called.
    package var loaded: SubtitleDocument? { document.withLock { $0 } }

    /// Reads the file: not for event loops. One that has grown too large or has gone shows nothing.
    package func load() -> SubtitleDocument {
        if let loaded { return loaded }
        let found = Self.read(file)
        document.withLock { $0 = found }
        return found
    }

    private static func read(_ file: SubtitleFile) -> SubtitleDocument {
        guard let opened = try? MediaFile(path: file.path), opened.byteCount > 0,
            opened.byteCount <= SubtitleDocument.maximumFileByteCount,
            let bytes = try? opened.read(at: 0, count: Int(opened.byteCount))
        else { return SubtitleDocument() }
        return SubtitleDocument(parsing: bytes, format: file.format)
    }
}
