// README.md's way in and back with the image as it was built: the same test as with the checkout.
process.env.WICK_QUICKSTART_IMAGE = "built"
await import("../cluster/quickstart.test.ts")
