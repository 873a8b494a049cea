import CLibAV
import Glibc

/// A broadcaster's own device or standard input, opened by libavformat. Belongs to one thread.
final class CaptureInput: PacketSource {
    /// Standard input cannot be sought, so what is looked at for stream parameters is held in memory.
    private static let maximumAnalysisByteCount: Int64 = 4 << 20
    private static let maximumAnalysisMicroseconds: Int64 = 3_000_000

    let name: String
    let context: UnsafeMutablePointer<AVFormatContext>
    private(set) var streams: [StreamInfo] = []
    let isLive = true
    private let interruption: Interruption

    /// - Parameter options: the format's own, such as `framerate`.
    init(
        _ device: CaptureDevice, options: [(name: String, value: String)], interruption: Interruption
    ) throws(LibAVError) {
        _ = try LibAVRuntime.loadDevices()
        guard let format = libav.av_find_input_format(device.format) else {
            throw LibAVError(
                .codecUnsupported, file: device.name, "needs '\(device.format)', which this libavdevice lacks")
        }
        name = device.name
        self.interruption = interruption
        context = try Self.open(
            device.name, format: format, options: options, name: device.name, interruption: interruption)
        try findStreams()
    }

    init(standardInput interruption: Interruption) throws(LibAVError) {
        try LibAVRuntime.load()
        name = "standard input"
        self.interruption = interruption
        context = try Self.open(
            "pipe:0", format: nil, options: [("protocol_whitelist", "pipe")], name: name, interruption: interruption)
        try findStreams()
    }

    deinit {
        var context: UnsafeMutablePointer<AVFormatContext>? = context
        libav.avformat_close_input(&context)
    }

    private static func open(
        _ url: String, format: UnsafePointer<AVInputFormat>?, options: [(name: String, value: String)], name: String,
        interruption: Interruption
    ) throws(LibAVError) -> UnsafeMutablePointer<AVFormatContext> {
        LibAVRuntime.forgetMessages()
        guard let allocated = libav.avformat_alloc_context() else {
            throw LibAVError(.outOfMemory, file: name, "ran out of memory")
        }
        allocated.pointee.interrupt_callback = interruption.callback
        allocated.pointee.probesize = maximumAnalysisByteCount
        allocated.pointee.max_analyze_duration = maximumAnalysisMicroseconds
        var dictionary: OpaquePointer?
        defer { libav.av_dict_free(&dictionary) }
        for option in options { _ = libav.av_dict_set(&dictionary, option.name, option.value, 0) }
        var opened: UnsafeMutablePointer<AVFormatContext>? = allocated
        let result = libav.avformat_open_input(&opened, url, format, &dictionary)
        guard result >= 0, let opened else { throw failure(result, name: name) }
        return opened
    }

    /// The system's words for what keeps a device from being opened.
    private static func failure(_ result: Int32, name: String) -> LibAVError {
        switch result {
        case antena_averror(EBUSY): LibAVError(.unreadable, file: name, "is in use by another program")
        case antena_averror(ENOENT), antena_averror(ENODEV), antena_averror(ENXIO):
            LibAVError(.noMedia, file: name, "is not there")
        case antena_averror(EACCES), antena_averror(EPERM):
            LibAVError(.unreadable, file: name, "may not be opened by this user; cameras belong to the group 'video'")
        default: LibAVError(result: result, doing: "opening it", file: name, as: .unreadable)
        }
    }

    private func findStreams() throws(LibAVError) {
        let result = libav.avformat_find_stream_info(context, nil)
        try interruption.check(file: name)
        guard result >= 0 else {
            throw LibAVError(result: result, doing: "looking for its streams", file: name, as: .damaged)
        }
        streams = readStreams()
    }

    func read(into packet: Packet) throws(LibAVError) -> Bool {
        while true {
            try interruption.check(file: name)
            packet.clear()
            let result = libav.av_read_frame(context, packet.pointer)
            if result == antena_averror_eof() { return false }
            // A device has nothing at the moment.
            if result == antena_averror(EAGAIN) { continue }
            guard result >= 0 else {
                throw LibAVError(result: result, doing: "reading it", file: name, as: .damaged)
            }
            return true
        }
    }
}
