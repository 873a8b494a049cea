import FastPathSwitch
package import NIOCore

/// Decides when a publisher's socket is read: as its data arrives, or at ticks. Confined to its event loop.
package final class PacedReads: TickWaiter {
    private enum Phase {
        /// The selector reports data as it arrives.
        case prompt
        /// The socket is read at ticks, or when a viewer's need is foreseen.
        case paced
        case closed
    }

    /// A shorter time without anybody in a hurry is not worth the system calls, which cost as much as reading two
    /// packets by themselves.
    static let minimumRest = TimeAmount.milliseconds(8)

    /// Weak, because the socket owns this object.
    private weak var socket: (any PacedSocket)?
    private let eventLoop: any EventLoop
    private var phase = Phase.prompt
    /// The reading that was scheduled for a time between two ticks; `nil` while a tick is waited for.
    private var early: Scheduled<Void>?

    package init(socket: any PacedSocket, eventLoop: any EventLoop) {
        self.socket = socket
        self.eventLoop = eventLoop
    }

    /// Decides again, after data that the selector reported has been handled.
    package func handled() {
        guard FastPaths.takes(.pacedReads), phase == .prompt, let socket else { return }
        let now = eventLoop.now
        guard let wait = wait(socket, now: now) else { return }
        phase = .paced
        socket.beginPacing()
        begin(wait)
    }

    package func tick() {
        early = nil
        guard phase == .paced, let socket else { return }
        socket.readArrived()
        // What was read may have ended the session.
        guard phase == .paced else { return }
        if let wait = wait(socket, now: eventLoop.now) {
            begin(wait)
        } else {
            phase = .prompt
            socket.endPacing()
        }
    }

    /// Ends the pacing for good; the socket is not called any more, except for ``PacedSocket/endPacing()``.
    package func close() {
        early?.cancel()
        early = nil
        let wasPaced = phase == .paced
        phase = .closed
        if wasPaced { socket?.endPacing() }
    }

    private enum Wait {
        case tick(ReceptionTicks)
        /// Until a time before the next tick.
        case deadline(NIODeadline)
    }

    /// - Returns: what the socket can wait for; `nil` if it must be read as data arrives.
    private func wait(_ socket: any PacedSocket, now: NIODeadline) -> Wait? {
        guard let ticks = socket.ticks(now: now) else { return nil }
        guard let promptTime = socket.promptTime(now: now) else { return .tick(ticks) }
        guard promptTime >= now + Self.minimumRest else { return nil }
        return promptTime < ticks.next(after: now) ? .deadline(promptTime) : .tick(ticks)
    }

    private func begin(_ wait: Wait) {
        switch wait {
        case .tick(let ticks): ticks.wait(self)
        case .deadline(let deadline):
            early = eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { [weak self] in self?.tick() }
        }
    }
}
