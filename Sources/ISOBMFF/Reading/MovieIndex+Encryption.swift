import MediaCore
import NIOCore

extension MovieIndex {
    /// Finds out whether video or audio of a movie is encrypted, without reading its sample tables. A movie is refused
    /// for one encrypted track: without it, the title would be another one than its author meant.
    ///
    /// - Returns: a human-readable reason that follows the file's name; `nil` if every track is in the clear.
    /// - Throws: ``ISOBMFFError`` if the file's boxes cannot be read; whatever `file` throws.
    package static func encryption(in file: some RandomAccessData) throws -> String? {
        let codecs = try MovieContents(of: file).tracks().lazy.compactMap { track -> MovieTrack.Codec? in
            guard let media = try? track.media(), let mediaType = MediaType(handler: media.handler),
                let description = try? media.sampleTable.children().first("stsd")
            else { return nil }
            return try? SampleEntryParser(box: description, mediaType: mediaType).parse()
        }
        return codecs.first { if case .encrypted = $0 { true } else { false } }?.obstacle
    }
}

extension MediaType {
    /// The kind of media that a handler type of `hdlr` (ISO/IEC 14496-12 §8.4.3) means; `nil` for all others.
    init?(handler: FourCC) {
        switch handler {
        case "vide": self = .video
        case "soun": self = .audio
        default: return nil
        }
    }
}
