import Glibc
import ISOBMFF
import MediaCore
import NIOCore
import Packaging

/// Writes the languages of a movie's tracks that libav's muxer cannot write: it knows three letters only.
enum MovieLanguages {
    /// Adds the languages to a movie that was just written.
    ///
    /// - Parameters:
    ///   - languages: the languages as the source has them, keyed by the position of their track in the movie. Text
    ///     that is not a language tag is left out, and so are ISO 639-2 codes.
    ///   - path: the movie, whose `moov` comes last.
    static func write(_ languages: [Int: String], to path: String) throws {
        let tags = languages.compactMapValues { $0.utf8.count == 3 ? nil : LanguageTag($0)?.text }
        guard !tags.isEmpty else { return }
        let file = try MediaFile(path: path)
        guard let place = try ExtendedLanguageBoxes.lastMovie(in: file) else { return }
        let movie = try file.read(at: place.lowerBound, count: Int(place.upperBound - place.lowerBound))
        let bytes = Array(try ExtendedLanguageBoxes.adding(tags, to: movie).readableBytesView)
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw AtomicOutput.Failure("open", path) }
        defer { close(descriptor) }
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress, $0.count, off_t(place.lowerBound + Int64(written)))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw AtomicOutput.Failure("write", path) }
            written += count
        }
    }
}
