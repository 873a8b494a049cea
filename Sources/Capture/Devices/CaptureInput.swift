import CLibAV
import Glibc
import LibAV

/// A broadcaster's own device or standard input, opened by libavformat. Belongs to one thread.
final class CaptureInput: PacketSource {
    /// The bytes to analyse for stream parameters. Standard input is not seekable, so they are held in memory.
    private static let maximumAnalysisByteCount: Int64 = 4 << 20
    private static let maximumAnalysisMicroseconds: Int64 = 3_000_000

    let name: String
    let context: UnsafeMutablePointer<AVFormatContext>
    private(set) var streams: [StreamInfo] = []
    let isLive = true
    private let interruption: Interruption

    /// Opens a device.
    ///
    /// - Parameter options: The options of the device's format, such as `framerate`.
    init(
        _ device: CaptureDevice, options: [(name: String, value: String)], interruption: Interruption
    ) throws(LibAVError) {
        _ = try LibAVRuntime.loadDevices()
        // libavdevice's messages go into the error, not to the terminal before it.
        antena_av_show_messages_of_this_thread(0)
        defer { antena_av_show_messages_of_this_thread(1) }
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

    /// Opens standard input.
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
        LibAVRuntime.clearMessages()
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
        guard result >= 0, let opened else { throw failure(result, format: format, name: name) }
        return opened
    }

    private static let listed = "'antena broadcast sources' lists this machine's devices"

    /// Returns why a device cannot be opened, and what to do. Code `damaged` means that the device exists and may open
    /// in another mode.
    static func failure(_ result: Int32, format: UnsafePointer<AVInputFormat>?, name: String) -> LibAVError {
        let formatName = format.map { String(cString: $0.pointee.name) }?.split(separator: ",").last.map(String.init)
        let words = LibAVRuntime.lastMessage.map { " (libav says: \($0))" } ?? ""
        switch (result, formatName) {
        case (antena_averror(EBUSY), _):
            return LibAVError(
                .unreadable, file: name,
                "is in use by another program; close that one, or choose another device: \(listed)")
        case (antena_averror(ENOENT), _), (antena_averror(ENODEV), _), (antena_averror(ENXIO), _):
            return LibAVError(.noMedia, file: name, "does not exist; \(listed)")
        case (antena_averror(EACCES), _), (antena_averror(EPERM), _):
            return LibAVError(
                .unreadable, file: name,
                "cannot be opened by this user; cameras belong to the group 'video', sound cards to 'audio'")
        case (antena_averror(ENOTTY), _):
            return LibAVError(.noMedia, file: name, "is not a device that can be opened; \(listed)")
        case (antena_averror_invalid_data(), nil), (antena_averror_eof(), nil):
            return LibAVError(
                .unrecognised, file: name,
                "holds nothing that can be read without seeking; "
                    + "write MPEG-TS, Matroska or FLV into it")
        // These formats use one code for every failure.
        case (antena_averror(EIO), "alsa"), (antena_averror(EIO), "pulse"):
            return LibAVError(
                .noMedia, file: name, "is not a microphone that can be opened now\(words); \(listed)")
        case (antena_averror(EIO), "x11grab"):
            return LibAVError(
                .noMedia, file: name,
                "is not a screen that can be opened: is an X server running there, and may this user use it "
                    + "(DISPLAY, XAUTHORITY)?\(words)")
        default: return LibAVError(result: result, doing: "opening it", file: name, as: .damaged)
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

    /// Returns why a device that was open is lost; libav's drivers have few codes for that.
    static func lost(_ result: Int32, name: String) -> LibAVError {
        switch result {
        case antena_averror(ENODEV), antena_averror(ENXIO):
            LibAVError(.noMedia, file: name, "has been unplugged or switched off")
        case antena_averror(EIO), antena_averror_external():
            LibAVError(.noMedia, file: name, "has stopped delivering data")
        default: LibAVError(result: result, doing: "reading it", file: name, as: .damaged)
        }
    }

    func read(into packet: Packet) throws(LibAVError) -> Bool {
        while true {
            try interruption.check(file: name)
            packet.clear()
            let result = libav.av_read_frame(context, packet.pointer)
            if result == antena_averror_eof() { return false }
            // The device has no data at the moment.
            if result == antena_averror(EAGAIN) { continue }
            guard result >= 0 else { throw Self.lost(result, name: name) }
            return true
        }
    }
}
