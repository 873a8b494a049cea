package import Codecs
package import MediaCore
package import NIOCore

/// The header of a rendition: `ftyp`, and a `moov` with one track and without samples (CMAF header, ISO/IEC 23000-19
/// §7.3.1; the Media Initialization Section of EXT-X-MAP).
package struct MediaInitializationSection: Sendable {
    package var track: Track
    package var configuration: CodecConfiguration
    package var displayMatrix: DisplayMatrix
    /// Media time that is presented first, in the track's timescale, to skip an encoder's priming. If it is zero, no
    /// edit list is written.
    package var firstPresentedMediaTime: Int64
    /// Shape of a pixel; see ``MovieTrack/pixelAspectRatio``.
    package var pixelAspectRatio: SampleAspectRatio?
    /// The encryption of the samples; `nil` if they are in the clear.
    package var encryption: TrackEncryption?

    /// Number of the track, which is the same in each rendition because each has a single track.
    package static let trackID: UInt32 = 1

    package init(
        track: Track, configuration: CodecConfiguration, displayMatrix: DisplayMatrix = .identity,
        firstPresentedMediaTime: Int64 = 0, pixelAspectRatio: SampleAspectRatio? = nil
    ) {
        self.track = track
        self.configuration = configuration
        self.displayMatrix = displayMatrix
        self.firstPresentedMediaTime = firstPresentedMediaTime
        self.pixelAspectRatio = pixelAspectRatio
    }

    /// Appends `ftyp` and `moov`.
    package func write(into buffer: inout ByteBuffer) {
        buffer.writeBox("ftyp") { buffer in
            buffer.writeInteger(FourCC("iso6").rawValue)
            buffer.writeInteger(UInt32(0))
            for brand: FourCC in ["iso6", "cmfc", "mp41"] { buffer.writeInteger(brand.rawValue) }
        }
        buffer.writeBox("moov") { buffer in
            writeMovieHeader(into: &buffer)
            buffer.writeBox("trak", content: writeTrack)
            buffer.writeBox("mvex") { buffer in
                buffer.writeFullBox("trex") { buffer in
                    buffer.writeMultipleIntegers(Self.trackID, UInt32(1), UInt32(0), UInt32(0), UInt32(0))
                }
            }
        }
    }

    /// The whole section in a new buffer.
    package func rendered() -> ByteBuffer {
        var buffer = ByteBuffer()
        write(into: &buffer)
        return buffer
    }

    private func writeMovieHeader(into buffer: inout ByteBuffer) {
        buffer.writeFullBox("mvhd") { buffer in
            buffer.writeMultipleIntegers(UInt32(0), UInt32(0), track.timescale.ticksPerSecond, UInt32(0))
            buffer.writeMultipleIntegers(UInt32(0x10000), UInt16(0x0100), UInt16(0), UInt32(0), UInt32(0))
            for value in DisplayMatrix.identity.values { buffer.writeInteger(value) }
            for _ in 0..<6 { buffer.writeInteger(UInt32(0)) }
            buffer.writeInteger(Self.trackID + 1)
        }
    }

    private func writeTrack(into buffer: inout ByteBuffer) {
        writeTrackHeader(into: &buffer)
        if firstPresentedMediaTime != 0 {
            buffer.writeBox("edts") { buffer in
                buffer.writeFullBox("elst", version: 1) { buffer in
                    buffer.writeMultipleIntegers(UInt32(1), UInt64(0), firstPresentedMediaTime, UInt32(0x10000))
                }
            }
        }
        buffer.writeBox("mdia") { buffer in
            buffer.writeFullBox("mdhd") { buffer in
                buffer.writeMultipleIntegers(UInt32(0), UInt32(0), track.timescale.ticksPerSecond, UInt32(0))
                buffer.writeMultipleIntegers(Self.packedLanguage(track.language), UInt16(0))
            }
            writeHandler(into: &buffer)
            buffer.writeBox("minf", content: writeMediaInformation)
        }
    }

    private func writeTrackHeader(into buffer: inout ByteBuffer) {
        // Flags: enabled, in movie, in preview (ISO/IEC 14496-12 §8.3.2).
        buffer.writeFullBox("tkhd", flags: 7) { buffer in
            buffer.writeMultipleIntegers(UInt32(0), UInt32(0), Self.trackID, UInt32(0), UInt32(0))
            buffer.writeMultipleIntegers(UInt64(0), UInt16(0), UInt16(0))
            buffer.writeMultipleIntegers(UInt16(track.mediaType == .audio ? 0x0100 : 0), UInt16(0))
            for value in displayMatrix.values { buffer.writeInteger(value) }
            let size = configuration.videoSize ?? (0, 0)
            let aspect = pixelAspectRatio ?? configuration.sampleAspectRatio
            // Width and height are display sizes, so pixels that are not square stretch the width.
            let width = UInt64(size.width) << 16 * UInt64(aspect.width) / UInt64(aspect.height)
            buffer.writeInteger(UInt32(clamping: width))
            buffer.writeInteger(UInt32(clamping: size.height << 16))
        }
    }

    private func writeHandler(into buffer: inout ByteBuffer) {
        buffer.writeFullBox("hdlr") { buffer in
            let handler: FourCC = track.mediaType == .video ? "vide" : "soun"
            buffer.writeMultipleIntegers(UInt32(0), handler.rawValue, UInt32(0), UInt32(0), UInt32(0))
            buffer.writeString(track.mediaType == .video ? "Video\0" : "Audio\0")
        }
    }

    private func writeMediaInformation(into buffer: inout ByteBuffer) {
        if track.mediaType == .video {
            buffer.writeFullBox("vmhd", flags: 1) { $0.writeInteger(UInt64(0)) }
        } else {
            buffer.writeFullBox("smhd") { $0.writeInteger(UInt32(0)) }
        }
        buffer.writeBox("dinf") { buffer in
            buffer.writeFullBox("dref") { buffer in
                buffer.writeInteger(UInt32(1))
                buffer.writeFullBox("url ", flags: 1) { _ in }
            }
        }
        buffer.writeBox("stbl") { buffer in
            buffer.writeFullBox("stsd") { buffer in
                buffer.writeInteger(UInt32(1))
                SampleEntryWriter(
                    configuration: configuration, pixelAspectRatio: pixelAspectRatio, encryption: encryption
                ).write(into: &buffer)
            }
            for type: FourCC in ["stts", "stsc", "stco"] {
                buffer.writeFullBox(type) { $0.writeInteger(UInt32(0)) }
            }
            buffer.writeFullBox("stsz") { $0.writeInteger(UInt64(0)) }
        }
    }

    /// Packs three letters of five bits each (ISO/IEC 14496-12 §8.4.2.3).
    private static func packedLanguage(_ language: String?) -> UInt16 {
        let letters = Array((language ?? "und").utf8)
        let valid = letters.count == 3 && letters.allSatisfy { (0x61...0x7A).contains($0) }
        return (valid ? letters : Array("und".utf8)).reduce(0) { $0 << 5 | UInt16($1 - 0x60) }
    }
}
