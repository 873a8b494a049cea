import CLibAV
import LibAV

/// One device's track, which continues while the device is gone: an unplugged cable, a restarting sound server. A
/// stand-in keeps the broadcast's tracks aligned until the device can be opened again. Belongs to one thread.
final class DeviceTrack {
    /// Microseconds between two attempts to reopen a lost device.
    static let attemptInterval: Int64 = 2_000_000
    /// The largest lateness in microseconds; a later stand-in, as after the machine was asleep, continues from now.
    private static let maximumLateness: Int64 = 500_000

    /// The substitute that is sent while the device is gone.
    struct StandIn {
        /// The description in notices, such as "silence is sent".
        var name: String
        /// Microseconds between two frames.
        var interval: Int64
        /// Sends a frame for a time in microseconds from the capture's start.
        var send: (Int64) throws(LibAVError) -> Void
        /// Drains the encoder.
        var finish: () throws(LibAVError) -> Void
    }

    private let name: String
    private let standIn: StandIn
    private let clock: BroadcastClock
    private let control: BroadcastControl
    private let notify: (String) -> Void
    /// Reopens the device.
    private let open: () throws(LibAVError) -> DevicePump

    /// Creates a track.
    ///
    /// - Parameters:
    ///   - name: The device's name.
    ///   - notify: Gets human-readable notices.
    init(
        name: String, standIn: StandIn, clock: BroadcastClock, control: BroadcastControl,
        notify: @escaping (String) -> Void, open: @escaping () throws(LibAVError) -> DevicePump
    ) {
        self.name = name
        self.standIn = standIn
        self.clock = clock
        self.control = control
        self.notify = notify
        self.open = open
    }

    /// Runs until the capture is stopped or the device reaches its end.
    ///
    /// - Parameters:
    ///   - first: The open device; it is an error if it never delivers anything.
    ///   - origin: The start of the capture on the clock.
    func run(_ first: DevicePump, origin: Int64) throws(LibAVError) {
        // Released before the device is reopened: many can be open only once.
        var pump: DevicePump? = first
        while let current = pump {
            pump = nil
            switch try current.run(origin: origin) {
            case .stopped: return
            case .lost(let error):
                notify("\(error); \(standIn.name) until it is back")
                try outlast(current.route)
            }
            pump = try bridge(from: origin)
            if pump != nil { notify("\(name) is back") }
        }
        try standIn.finish()
    }

    /// Drains the decoder of a lost device.
    private func outlast(_ route: any BroadcastRoute) throws(LibAVError) { try route.accept(nil, shift: 0) }

    /// Sends the stand-in until the device can be reopened.
    ///
    /// - Returns: The device, open again; `nil` if the capture is to stop.
    private func bridge(from origin: Int64) throws(LibAVError) -> DevicePump? {
        var time = clock.now() - origin
        var nextAttempt = time + Self.attemptInterval
        while clock.wait(until: origin + time, control) {
            let now = clock.now() - origin
            if now >= nextAttempt {
                do throws(LibAVError) { return try open() } catch { nextAttempt = now + Self.attemptInterval }
            }
            if now - time > Self.maximumLateness { time = now }
            try standIn.send(time)
            time += standIn.interval
        }
        return nil
    }
}
