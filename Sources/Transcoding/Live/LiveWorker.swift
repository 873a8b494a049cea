import CLibAV
import Codecs
import Glibc
import LibAV
import MediaCore
import NIOCore
import TableDocuments

/// The implementation of `antena live-worker`: decodes and encodes one track of a publisher, makes the lower qualities
/// of a channel, or makes pictures of key frames, in a process that has given up all other rights. Units arrive on
/// standard input, and output goes to standard output.
package enum LiveWorker {
    /// The limit on the process's address space: libav's libraries map about 300 MB; a VP9 decoder and an encoder of
    /// 1440p take some 200 MB.
    private static let maximumAddressSpaceByteCount = 1536 << 20
    /// The limit for a ladder: a decoder of 4K takes some 300 MB, and so does each encoder of 1080p.
    private static let maximumLadderAddressSpaceByteCount = 4 << 30
    private static let maximumDescriptorCount = 16
    /// The limit for an encoder on a device, whose driver opens libraries and nodes.
    private static let maximumDeviceDescriptorCount = 128
    /// The number of fonts that may be open at a time.
    private static let maximumFontCount = 48

    /// Runs the worker and returns its exit status: 0 at the end of the input, 1 after a failure that was reported to
    /// the server, 2 if there was no valid request.
    package static func run() -> Int32 {
        signal(SIGPIPE, SIG_IGN)
        // Fontconfig would write a cache.
        signal(SIGXFSZ, SIG_IGN)
        let pipe = LiveWorkerPipe(input: STDIN_FILENO, output: STDOUT_FILENO)
        let begin = pipe.readRequest()
        var hardware: HardwareContext?
        var addressSpaceByteCount = maximumAddressSpaceByteCount
        var readable = FileConfinement()
        var descriptorCount = maximumDescriptorCount
        var boardProblem: String?
        do throws(LibAVError) {
            // libav must be loaded before the confinement, which forbids opening files.
            switch begin {
            case .begin(let codec, _):
                try codec.requirePlausibleShape()
                try LibAVRuntime.load()
            case .beginPictures: try LibAVRuntime.load()
            case .beginLadder(let ladder):
                try LibAVRuntime.load()
                let encoder = try LadderEncoder(named: ladder.encoder)
                addressSpaceByteCount = maximumLadderAddressSpaceByteCount
                if let device = encoder.device {
                    readable = device.confinement
                    addressSpaceByteCount = encoder.addressSpaceByteCount
                    descriptorCount = maximumDeviceDescriptorCount
                }
                if ladder.boardRung != nil {
                    boardProblem = loadDrawing()
                    // Fonts are opened when they are needed.
                    readable.readable += PDFLibraries.readableFolders
                    descriptorCount += maximumFontCount
                }
                hardware = try encoder.device.map { kind throws(LibAVError) in
                    try HardwareContext(kind, encoder: encoder.name, file: "the ladder")
                }
                _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, LiveLadderWorker.niceness)
            case .adjust, .resume, .boards, .dates, .unit, nil: return 2
            }
        } catch {
            pipe.write(.output(.failed(error.description)))
            return 1
        }
        if let reason = confine(addressSpaceByteCount, descriptorCount, readable) {
            pipe.write(.output(.failed("the live worker cannot be confined: \(reason)")))
            return 1
        }
        switch begin {
        case .begin(let codec, let timescale):
            LiveTranscodingWorker(codec: codec, timescale: timescale, limits: .standard, queue: pipe) { output in
                pipe.write(.output(output))
            }.runOnThisThread()
            return 0
        case .beginLadder(let ladder): return makeLadder(ladder, pipe, hardware, boardProblem)
        default: return makePictures(pipe)
        }
    }

    /// Loads the libraries that draw. Nothing is drawn before the confinement, because pango looks for fonts in threads
    /// of its own, and a process with a second thread cannot be confined.
    ///
    /// - Returns: the reason if no scoreboard can be drawn.
    private static func loadDrawing() -> String? {
        do throws(PDFError) {
            try PDFLibraries.load()
            return nil
        } catch {
            return error.reason
        }
    }

    private static func makeLadder(
        _ ladder: LiveLadderRequest, _ pipe: LiveWorkerPipe, _ hardware: HardwareContext?, _ boardProblem: String?
    ) -> Int32 {
        do throws(LibAVError) {
            return try LiveLadderWorker(ladder, pipe: pipe, hardware: hardware, boardProblem: boardProblem).run()
        } catch {
            pipe.write(.output(.failed(error.description)))
            return 1
        }
    }

    /// Makes pictures of key frames until the input ends.
    private static func makePictures(_ pipe: LiveWorkerPipe) -> Int32 {
        antena_av_quiet_this_thread()
        while let message = pipe.readMessage() {
            guard let frame = try? PictureWorkerMessage.keyFrame(type: message.type, body: message.body) else {
                return 2
            }
            let answer: PictureWorkerMessage.Answer
            do throws(LibAVError) {
                answer = .picture(ByteBuffer(bytes: try KeyFramePicture.jpeg(of: frame)))
            } catch {
                answer = .refused(error.description)
            }
            var buffer = ByteBuffer()
            answer.write(into: &buffer)
            pipe.write(buffer)
        }
        return 0
    }

    /// Gives up all rights that the worker does not need.
    ///
    /// - Parameters:
    ///   - addressSpaceByteCount: The limit on the process's address space.
    ///   - descriptorCount: The limit on open files.
    ///   - files: The files that the driver of an encoder and fonts need.
    /// - Returns: The reason if that fails; `nil` on success.
    private static func confine(
        _ addressSpaceByteCount: Int, _ descriptorCount: Int, _ files: FileConfinement
    ) -> String? {
        let limits: [(resource: UInt32, value: Int)] = [
            (UInt32(RLIMIT_AS.rawValue), addressSpaceByteCount), (UInt32(RLIMIT_FSIZE.rawValue), 0),
            (UInt32(RLIMIT_NOFILE.rawValue), descriptorCount),
            (UInt32(RLIMIT_CORE.rawValue), 0),
        ]
        for limit in limits {
            var value = rlimit()
            let resource = __rlimit_resource_t(limit.resource)
            guard getrlimit(resource, &value) == 0 else { return String(cString: strerror(errno)) }
            value.rlim_max = min(rlim_t(limit.value), value.rlim_max)
            value.rlim_cur = value.rlim_max
            guard setrlimit(resource, &value) == 0 else { return String(cString: strerror(errno)) }
        }
        return LibAVRuntime.confine(readable: nil, writableFolder: nil, more: files)
    }
}
