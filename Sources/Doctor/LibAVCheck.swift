import LibAV

/// Checks that libav's libraries are installed and have the codecs that the server uses.
struct LibAVCheck: DoctorCheck {
    let name = "libav"
    /// The version of libavformat, or the reason why the libraries cannot be loaded.
    let version: Result<String, LibAVError>
    /// The codecs that are missing.
    let missing: [Codec]

    /// A codec that the server uses.
    struct Codec: Sendable, Hashable {
        enum Direction: String, Sendable { case decoder, encoder }

        let direction: Direction
        /// The name in libav.
        let name: String
        /// Whether a server fails at ordinary files without it.
        var isRequired = true
    }

    /// The codecs that all servers use.
    static let codecs = [
        Codec(direction: .decoder, name: "h264"), Codec(direction: .decoder, name: "aac"),
        Codec(direction: .encoder, name: "libx264"), Codec(direction: .encoder, name: "aac"),
        Codec(direction: .decoder, name: "hevc", isRequired: false),
    ]

    var finding: DoctorFinding {
        let version: String
        do throws(LibAVError) { version = try self.version.get() } catch {
            return .problem(
                error.description, remedy: "install libav's libraries; without them files cannot be converted or played"
            )
        }
        guard !missing.isEmpty else { return .ok("libavformat \(version) has all required codecs") }
        let names = missing.map { "the \($0.direction.rawValue) \($0.name)" }.joined(separator: ", ")
        let remedy = "install a build of libavcodec that has them, such as Debian's"
        return missing.contains(where: \.isRequired)
            ? .problem("libavcodec lacks \(names)", remedy: remedy)
            : .warning("libavcodec lacks \(names); such files cannot be converted", remedy: remedy)
    }

    /// Loads the libraries.
    ///
    /// - Parameter ladderEncoder: the encoder of the ladder; `nil` if no ladder is configured.
    static func examine(ladderEncoder: String?) -> LibAVCheck {
        do throws(LibAVError) { try LibAVRuntime.load() } catch {
            return LibAVCheck(version: .failure(error), missing: [])
        }
        var codecs = codecs
        if let ladderEncoder, !codecs.contains(where: { $0.name == ladderEncoder }) {
            codecs.append(Codec(direction: .encoder, name: ladderEncoder))
        }
        let missing = codecs.filter { codec in
            switch codec.direction {
            case .decoder: !LibAVRuntime.hasDecoder(named: codec.name)
            case .encoder: !LibAVRuntime.hasEncoder(named: codec.name)
            }
        }
        return LibAVCheck(version: .success(LibAVRuntime.version), missing: missing)
    }
}
