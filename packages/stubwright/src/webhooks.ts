// Webhooks and callbacks: the entry of @stubwright/webhooks, which is installed with this package.

export * from '@stubwright/webhooks';
