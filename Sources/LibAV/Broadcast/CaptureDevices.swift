import CLibAV
import Glibc

/// What there is to capture on this machine.
public struct CaptureDeviceListing: Hashable, Sendable {
    /// One device.
    public struct Entry: Hashable, Sendable {
        /// What a ``BroadcastSource`` takes.
        public var device: CaptureDevice
        /// For people: "HD Webcam C270".
        public var title: String
        /// The system's own choice among its kind.
        public var isDefault: Bool

        /// A title is for people.
        public init(device: CaptureDevice, title: String, isDefault: Bool) {
            self.device = device
            self.title = title
            self.isDefault = isDefault
        }
    }

    /// Of Video4Linux.
    public var cameras: [Entry] = []
    /// PulseAudio's, or ALSA's where there is no PulseAudio.
    public var microphones: [Entry] = []
    /// The X server's, at most one.
    public var screens: [Entry] = []

    /// Nothing.
    public init() {}

    private static let maximumDeviceCount = 64

    /// Asks libavdevice, which asks the system. Takes a moment.
    ///
    /// - Parameter display: of the X server; `nil` where there is none.
    package static func read(display: String?) throws(LibAVError) -> CaptureDeviceListing {
        let devices = try LibAVRuntime.loadDevices()
        antena_av_quiet_this_thread()
        var listing = CaptureDeviceListing()
        listing.cameras = list("v4l2", devices)
        // Where PulseAudio or PipeWire runs, it holds ALSA's devices.
        let pulse = list("pulse", devices).filter { !$0.device.name.hasSuffix(".monitor") }
        let alsa = list("alsa", devices).filter { !isPlugIn($0.device.name) }
        listing.microphones = pulse.isEmpty ? alsa : pulse
        if let display, !display.isEmpty {
            let device = CaptureDevice(format: "x11grab", name: display)
            listing.screens = [Entry(device: device, title: "screen \(display)", isDefault: true)]
        }
        return listing
    }

    /// ALSA lists what can stand in front of a sound card beside the cards; "null" is silence for ever.
    static func isPlugIn(_ name: String) -> Bool {
        ["null", "lavrate", "samplerate", "speexrate", "speex", "jack", "oss", "pulse", "upmix", "vdownmix"]
            .contains(name)
    }

    private static func list(_ format: String, _ devices: AntenaAVDeviceFunctions) -> [Entry] {
        guard let input = libav.av_find_input_format(format) else { return [] }
        var list: UnsafeMutablePointer<AVDeviceInfoList>?
        defer { devices.avdevice_free_list_devices(&list) }
        guard devices.avdevice_list_input_sources(input, nil, nil, &list) >= 0, let list else { return [] }
        let count = min(maximumDeviceCount, Int(list.pointee.nb_devices))
        return (0..<count).compactMap { index in
            guard let info = list.pointee.devices[index], let name = info.pointee.device_name else { return nil }
            let title = info.pointee.device_description.map { String(cString: $0) } ?? String(cString: name)
            return Entry(
                device: CaptureDevice(format: format, name: String(cString: name)), title: title,
                isDefault: index == Int(list.pointee.default_device))
        }
    }
}
