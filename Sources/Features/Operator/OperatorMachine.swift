package import WebSite

/// The machine of a server with a dashboard.
package struct OperatorMachine: Sendable {
    /// Reads its state; may wait for a disk.
    let read: @Sendable () -> MachineState

    package init(_ read: @escaping @Sendable () -> MachineState) { self.read = read }
}
