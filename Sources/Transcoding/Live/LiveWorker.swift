import CLibAV
import Codecs
import Glibc
import LibAV
import MediaCore
import NIOCore

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

    /// Runs the worker and returns its exit status: 0 at the end of the input, 1 after a failure that was reported to
    /// the server, 2 if there was no valid request.
    package static func run() -> Int32 {
        signal(SIGPIPE, SIG_IGN)
        let pipe = LiveWorkerPipe(input: STDIN_FILENO, output: STDOUT_FILENO)
        let begin = pipe.readRequest()
        var hardware: HardwareContext?
        var addressSpaceByteCount = maximumAddressSpaceByteCount
        var device: FileConfinement?
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
                device = encoder.device?.confinement
                addressSpaceByteCount =
                    device == nil ? maximumLadderAddressSpaceByteCount : encoder.addressSpaceByteCount
                hardware = try encoder.device.map { kind throws(LibAVError) in
                    try HardwareContext(kind, encoder: encoder.name, file: "the ladder")
                }
                _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, LiveLadderWorker.niceness)
            case .adjust, .resume, .unit, nil: return 2
            }
        } catch {
            pipe.write(.output(.failed(error.description)))
            return 1
        }
        if let reason = confine(addressSpaceByteCount, device) {
            pipe.write(.output(.failed("the live worker cannot be confined: \(reason)")))
            return 1
        }
        switch begin {
        case .begin(let codec, let timescale):
            LiveTranscodingWorker(codec: codec, timescale: timescale, limits: .standard, queue: pipe) { output in
                pipe.write(.output(output))
            }.runOnThisThread()
            return 0
        case .beginLadder(let ladder): return makeLadder(ladder, pipe, hardware)
        default: return makePictures(pipe)
        }
    }

    private static func makeLadder(
        _ ladder: LiveLadderRequest, _ pipe: LiveWorkerPipe, _ hardware: HardwareContext?
    ) -> Int32 {
        do throws(LibAVError) {
            return try LiveLadderWorker(ladder, pipe: pipe, hardware: hardware).run()
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
    ///   - device: What the driver of an encoder has to open; `nil` without a device.
    /// - Returns: The reason if that fails; `nil` on success.
    private static func confine(_ addressSpaceByteCount: Int, _ device: FileConfinement?) -> String? {
        let limits: [(resource: UInt32, value: Int)] = [
            (UInt32(RLIMIT_AS.rawValue), addressSpaceByteCount), (UInt32(RLIMIT_FSIZE.rawValue), 0),
            (UInt32(RLIMIT_NOFILE.rawValue), device == nil ? maximumDescriptorCount : maximumDeviceDescriptorCount),
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
        return LibAVRuntime.confine(readable: nil, writableFolder: nil, more: device ?? FileConfinement())
    }
}
