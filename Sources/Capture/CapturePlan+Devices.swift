import CLibAV
import LibAV

extension CapturePlan {
    /// The bytes in 20 ms of 48 kHz stereo: PulseAudio would otherwise deliver two seconds at once.
    private static let pulseFragmentByteCount = 3_840
    private static let silenceSampleCount: Int32 = 960
    private static let silenceSampleRate: Int32 = 48_000

    // MARK: Cameras and screens

    func deviceJob(ofVideo device: CaptureDevice, _ origin: Origin) throws(LibAVError) -> Job {
        let first = try videoInput(device)
        guard let info = first.bestStream(.video) else {
            throw LibAVError(.noMedia, file: device.name, "delivers no video")
        }
        let encoder = BroadcastVideoEncoder(
            encoding, sourceFrameRate: info.frameRate, name: device.name, control: control, emit: emit)
        let standIn = DeviceTrack.StandIn(
            name: "the last frame is repeated", interval: Int64(1_000_000 / encoding.frameRate),
            send: { time throws(LibAVError) in try encoder.repeatFrame(at: time) },
            finish: { () throws(LibAVError) in try encoder.finish() })
        let pump = try videoPump(first, device, encoder, origin)
        return deviceJob("broadcast-video", device, standIn, origin, first: pump) { () throws(LibAVError) in
            try videoPump(videoInput(device), device, encoder, origin)
        }
    }

    private func videoInput(_ device: CaptureDevice) throws(LibAVError) -> CaptureInput {
        let attempts = Self.videoOptions(device.format, encoding)
        for options in attempts.dropLast() {
            do throws(LibAVError) {
                return try CaptureInput(device, options: options, interruption: control.interruption)
            } catch {
                // Another mode does not help if the device is missing or access is denied.
                guard error.code == .damaged else { throw error }
            }
        }
        return try CaptureInput(device, options: attempts.last ?? [], interruption: control.interruption)
    }

    private func videoPump(
        _ input: CaptureInput, _ device: CaptureDevice, _ encoder: BroadcastVideoEncoder, _ origin: Origin
    ) throws(LibAVError) -> DevicePump {
        guard let info = input.bestStream(.video) else {
            throw LibAVError(.noMedia, file: device.name, "delivers no video")
        }
        // Hundreds of frames queue up at a camera whose reader is slow, which would delay viewers by seconds.
        let route = try VideoEncodingRoute(
            info, of: input, encoder: encoder, threadCount: 1,
            isLate: { [punctuality] in punctuality.isLate($0, origin: origin.time) })
        return DevicePump(source: input, info: info, route: route, clock: clock, control: control)
    }

    /// Returns the options to try on a device, best first; with each, it chooses the nearest mode that it has.
    static func videoOptions(
        _ format: String, _ encoding: BroadcastEncoding
    ) -> [[(name: String, value: String)]] {
        let rate = (name: "framerate", value: "\(Int(encoding.frameRate.rounded()))")
        let size = (name: "video_size", value: "\(encoding.width)x\(encoding.height)")
        switch format {
        case "v4l2":
            // Raw frames of this size do not fit USB 2 at a full rate: webcams deliver five or ten of them per second,
            // and thirty as JPEG. libavdevice would choose raw frames if there are any.
            let isLarge = encoding.width * encoding.height > 640 * 480
            let jpeg: [[(name: String, value: String)]] = isLarge ? [[("input_format", "mjpeg"), rate, size]] : []
            // Loopback devices and grabbers refuse a requested rate or size.
            return jpeg + [[rate, size], []]
        case "x11grab", "xcbgrab", "fbdev", "kmsgrab": return [[rate]]
        default: return [[]]
        }
    }

    // MARK: Microphones

    func deviceJob(ofAudio device: CaptureDevice, _ origin: Origin) throws(LibAVError) -> Job {
        let encoder = BroadcastAudioEncoder(encoding, name: device.name, followsDrift: true, emit: emit)
        let interval = Int64(Self.silenceSampleCount) * 1_000_000 / Int64(Self.silenceSampleRate)
        let standIn = DeviceTrack.StandIn(
            name: "silence is sent", interval: interval,
            send: { time throws(LibAVError) in try encoder.encode(Self.silence(), at: time) },
            finish: { () throws(LibAVError) in try encoder.finish() })
        return deviceJob("broadcast-audio", device, standIn, origin, first: try audioPump(device, encoder)) {
            () throws(LibAVError) in
            try audioPump(device, encoder)
        }
    }

    private func audioPump(
        _ device: CaptureDevice, _ encoder: BroadcastAudioEncoder
    ) throws(LibAVError) -> DevicePump {
        let options =
            device.format == "pulse" ? [(name: "fragment_size", value: "\(Self.pulseFragmentByteCount)")] : []
        let input = try CaptureInput(device, options: options, interruption: control.interruption)
        guard let info = input.bestStream(.audio) else {
            throw LibAVError(.noMedia, file: device.name, "delivers no audio")
        }
        let route = try AudioEncodingRoute(info, of: input, encoder: encoder)
        return DevicePump(source: input, info: info, route: route, clock: clock, control: control)
    }

    private static func silence() throws(LibAVError) -> Frame {
        var layout = AVChannelLayout()
        libav.av_channel_layout_default(&layout, 2)
        return try Frame.silence(
            sampleCount: silenceSampleCount, format: AV_SAMPLE_FMT_FLTP, sampleRate: silenceSampleRate,
            layout: &layout)
    }

    // MARK: Both

    private func deviceJob(
        _ name: String, _ device: CaptureDevice, _ standIn: DeviceTrack.StandIn, _ origin: Origin, first: DevicePump,
        reopen: @escaping () throws(LibAVError) -> DevicePump
    ) -> Job {
        let track = DeviceTrack(
            name: device.name, standIn: standIn, clock: clock, control: control, notify: { emit(.notice($0)) },
            open: reopen)
        // The track must hold the last reference to the device.
        var held: DevicePump? = first
        return job(name) { () throws(LibAVError) in
            guard let pump = held.take() else { return }
            try track.run(pump, origin: origin.time)
        }
    }
}
