/// An object that waits for a tick.
protocol TickWaiter: AnyObject {
    func tick()
}
