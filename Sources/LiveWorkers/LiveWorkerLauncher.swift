import NIOCore

/// Starts live workers: processes in the server, fakes in tests.
protocol LiveWorkerLauncher: Sendable {
    /// Starts a worker.
    ///
    /// - Parameter handler: creates the handler that is added to the channel before anything is read from it.
    func launch(
        on eventLoop: any EventLoop, handler: @escaping @Sendable () -> any ChannelHandler & Sendable
    ) -> EventLoopFuture<any LiveWorkerConnection>
}
